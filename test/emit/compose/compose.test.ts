import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { emitCompose } from '../../../src/emit/compose/emit.ts'
import { emitImages } from '../../../src/emit/images/emit.ts'
import { emitServices } from '../../../src/emit/targets.ts'
import { healthCheckIntervals } from '../../../src/emit/compose/container-settings.ts'
import { platformOf } from '../platform.ts'

type Service = Readonly<Record<string, unknown>>
interface Compose {
  readonly name: string
  readonly services: Readonly<Record<string, Service>>
  readonly networks: Readonly<Record<string, unknown>>
  readonly volumes: Readonly<Record<string, unknown>>
}

const WITHOUT_USERS = 'MyShop: project {} Home: service { name: string(80); }'
const WITH_USERS =
  'MyShop: project { #authMethod(email); } Home: service { name: string(80); #auth; } Secrets: service { home: Home; picture: data(30M); }'

const filesOf = (text: string): Map<string, string> =>
  new Map(
    [emitCompose, emitImages, emitServices]
      .flatMap((emitter) => emitter(platformOf(text)))
      .map((file) => [file.path, file.content]),
  )

function compose(text: string): Compose {
  return parse(filesOf(text).get('compose.yaml') ?? '') as Compose
}

const manyServices = (count: number): string =>
  `P: project {} ${Array.from({ length: count }, (_, at) => `S${at}: service { name: string(80); }`).join(' ')}`

test('containers have the names of directories, which contain no dot', () => {
  const { name, services, volumes } = compose(WITHOUT_USERS)
  expect(name).toBe('my-shop')
  expect(Object.keys(services)).toEqual(['gateway', 'home', 'home.migrate', 'home-db'])
  expect(Object.keys(volumes)).toEqual(['home-db-data'])
  expect(Object.keys(compose(WITH_USERS).services)).toContain('secrets-db')
})

test('every built image has a name that can be pushed', () => {
  const { services } = compose(WITH_USERS)
  const images = Object.entries(services).flatMap(([name, { build, image }]) =>
    build === undefined ? [] : [[name, image]],
  )
  expect(images).toEqual(
    ['auth', 'home', 'secrets'].map((name) => [name, `\${REGISTRY:-}my-shop/${name}:\${TAG:-latest}`]),
  )
  expect(services['home.migrate']?.['image']).toBe(services['home']?.['image'])
  expect(services['secrets']?.['build']).toEqual({
    context: '.',
    args: { SERVICE: 'secrets', DATABASE: 'secrets-db' },
  })
})

test('all images have tags of one version', () => {
  const files = filesOf(WITH_USERS)
  const images = [
    ...(files.get('Dockerfile') ?? '').matchAll(/^FROM (\S+)/gm),
    ...(files.get('compose.yaml') ?? '').matchAll(/image: ([^$\s]+)$/gm),
  ].map(([, image]) => image ?? '')
  expect(images.length).toBeGreaterThan(5)
  for (const image of images) expect(image).toMatch(/:v?\d+\.\d+(?:\.\d+)?(?:-slim)?$/)
})

test('the settings of private registries are in the stage that installs packages, and nowhere else', () => {
  const file = filesOf(WITH_USERS).get('Dockerfile') ?? ''
  const [, install = '', image = ''] = file.split(/^FROM /m)
  expect(install).toMatch(/^COPY .*\.npmrc\* /m)
  expect(image).not.toContain('npmrc')
})

test('the tokens of private Go modules are in the stage that builds services, and nowhere else', () => {
  const files = filesOf(WITH_USERS.replace('#authMethod', '#language(go); #authMethod'))
  const [, build = '', image = ''] = (files.get('go.Dockerfile') ?? '').split(/^FROM /m)
  expect(build).toMatch(/^ENV .*GOENV=\/src\/go\.env HOME=\/src$/m)
  expect(build).toMatch(/^COPY .*go\.env\* \.netrc\* \.\/$/m)
  expect(image).not.toContain('netrc')
  expect(files.get('.dockerignore')).toMatch(/^!\.netrc$/m)
})

test('images run the script `image:install` of the project, but no scripts of packages', async () => {
  const [, install = ''] = /^RUN (npm .*)/m.exec(filesOf(WITH_USERS).get('Dockerfile') ?? '') ?? []
  const directory = await mkdtemp(path.join(tmpdir(), 'portico-test-'))
  const run = (command: string) => promisify(execFile)('sh', ['-c', command], { cwd: directory })
  const manifest = { name: 'project', private: true, dependencies: { native: 'file:native.tgz' } }
  const write = (name: string, content: object) =>
    writeFile(path.join(directory, name), JSON.stringify(content))
  try {
    await mkdir(path.join(directory, 'package'))
    const scripts = { install: 'echo built > built.txt' }
    await write('package/package.json', { name: 'native', version: '1.0.0', scripts })
    await run('tar -czf native.tgz package')
    await write('package.json', manifest)
    await run('npm install --package-lock-only --offline --no-audit')
    await run(install)
    const built = path.join(directory, 'node_modules/native/built.txt')
    expect(existsSync(built)).toBe(false)
    await write('package.json', { ...manifest, scripts: { 'image:install': 'npm rebuild native' } })
    await run(install)
    expect(existsSync(built)).toBe(true)
  } finally {
    await rm(directory, { recursive: true })
  }
})

test('migrations run after the database is healthy and before the service', () => {
  const { services } = compose(WITH_USERS)
  expect(services['secrets']?.['depends_on']).toEqual({
    'secrets.migrate': { condition: 'service_completed_successfully' },
  })
  // Not required, because an external database has no container.
  expect(services['secrets.migrate']?.['depends_on']).toEqual({
    'secrets-db': { condition: 'service_healthy', required: false },
  })
  const healthy = { condition: 'service_healthy' }
  expect(services['gateway']?.['depends_on']).toEqual({ auth: healthy, home: healthy, secrets: healthy })
})

test('a database shares a network only with its own service', () => {
  const { services, networks } = compose(WITH_USERS)
  const attached = Object.entries(services).map(([name, service]) => [name, service['networks']])
  for (const [database, network] of Object.entries(networks)) {
    expect(network).toEqual({ internal: true })
    const service = database.replace(/-db$/, '')
    const members = attached.filter(([, names]) => Array.isArray(names) && names.includes(database))
    expect(members.map(([name]) => name)).toEqual([service, `${service}.migrate`, database])
  }
  expect(services['home-db']?.['networks']).toEqual(['home-db'])
  expect(services['home-db']?.['ports']).toBeUndefined()
})

test('more networks than Docker has addresses for get subnets of their own', () => {
  expect(compose(manyServices(12)).networks['s0-db']).toEqual({ internal: true })
  expect(compose(manyServices(13)).networks['s0-db']).toHaveProperty('ipam')
  const networks = Object.values(compose(manyServices(100)).networks) as {
    ipam: { config: { subnet: string }[] }
  }[]
  const subnets = networks.map(({ ipam }) => ipam.config[0]?.subnet)
  expect(new Set(subnets).size).toBe(100)
  expect(subnets.slice(3, 6)).toEqual([
    '${DATABASE_SUBNETS:-10.213}.0.192/26',
    '${DATABASE_SUBNETS:-10.213}.1.0/26',
    '${DATABASE_SUBNETS:-10.213}.1.64/26',
  ])
})

test('a container mounts only its own secrets', () => {
  const { services } = compose(WITH_USERS)
  for (const [name, { volumes = [] }] of Object.entries(services)) {
    const secrets = (volumes as { source?: string }[])
      .map(({ source }) => source)
      .filter((source) => source?.includes('.secrets') === true)
    expect(secrets, name).toEqual([`./.secrets/${name.replace('.migrate', '')}`])
  }
  expect(compose(WITHOUT_USERS).services['gateway']?.['volumes']).toHaveLength(1)
})

test('the gateway and the authentication service trust the same number of proxies', () => {
  const { services } = compose(WITH_USERS)
  const trusted = Object.entries(services).flatMap(([name, { environment }]) => {
    const value = Object(environment).TRUSTED_PROXIES
    return value === undefined ? [] : [[name, value]]
  })
  expect(trusted).toEqual([
    ['gateway', '${TRUSTED_PROXIES:-}'],
    ['auth', '${TRUSTED_PROXIES:-}'],
  ])
})

test("a service gets the user's own variables, which cannot replace those of its database", () => {
  const { services } = compose(WITH_USERS)
  for (const name of ['home', 'home.migrate']) {
    expect(services[name]?.['env_file']).toEqual([{ path: './.secrets/home/env', required: false }])
    expect(services[name]?.['environment']).toMatchObject({
      DATABASE_URL: '${HOME_DATABASE_URL:-postgres://home@home-db:5432/home}',
    })
  }
})

test('a renamed service keeps its database with its volume, role, network, secrets and variables', () => {
  const renamed = 'MyShop: project {} HolidayHome: service { name: string(80); #was(House); }'
  const before = compose('MyShop: project {} House: service { name: string(80); }')
  const after = compose(renamed)
  expect(Object.keys(after.services)).toEqual(['gateway', 'holiday-home', 'holiday-home.migrate', 'house-db'])
  expect(after.services['house-db']).toEqual(before.services['house-db'])
  expect([after.volumes, after.networks]).toEqual([before.volumes, before.networks])
  expect(after.services['holiday-home.migrate']).toEqual({
    ...before.services['house.migrate'],
    image: '${REGISTRY:-}my-shop/holiday-home:${TAG:-latest}',
    entrypoint: ['node', '--import', './lib/env-file.ts', 'lib/migrate.ts', 'holiday-home', 'house-db'],
  })
  expect(after.services['holiday-home']).toMatchObject({
    build: { args: { SERVICE: 'holiday-home', DATABASE: 'house-db' } },
    scale: '${HOLIDAY_HOME_REPLICAS:-${HOUSE_REPLICAS:-1}}',
    environment: before.services['house']?.['environment'],
    volumes: before.services['house']?.['volumes'],
    networks: before.services['house']?.['networks'],
  })
  expect(filesOf(renamed).get('.dockerignore')).toMatch(/^!holiday-home\/src\n!house-db\/migrations$/m)
})

test('memory and connections grow with bodies and rows', () => {
  const { services } = compose(WITH_USERS)
  const sizes = (name: string) => [
    services[name]?.['mem_limit'],
    services[`${name}-db`]?.['mem_limit'],
    (services[name]?.['environment'] as Service | undefined)?.['DATABASE_POOL_SIZE'],
  ]
  expect(sizes('home')).toEqual(['512m', '512m', 10])
  expect(sizes('secrets')).toEqual(['1024m', '1536m', 4])
})

test('the build context contains only what images need', () => {
  const [, ...lines] = (filesOf(WITH_USERS).get('.dockerignore') ?? '').trim().split('\n')
  expect(lines[0]).toBe('*')
  expect(lines.slice(1)).toEqual(
    expect.arrayContaining(['!package-lock.json', '!lib', '!shared', '!home/src', '!home-db/migrations']),
  )
  // The classic builder ignores wildcards after `!`.
  expect(lines.at(-1)).toBe('shared/test')
  for (const line of lines.slice(1, -1)) expect(line).toMatch(/^![\w./-]+$/)
})

test('health checks are spread out where many containers run', () => {
  expect(healthCheckIntervals(9)).toEqual({ interval: 15, startInterval: 1 })
  expect(healthCheckIntervals(203)).toEqual({ interval: 41, startInterval: 5 })
})

test('another provider has no files of Compose', () => {
  expect(
    emitCompose(platformOf('P: project { #provider(kube); } Home: service { name: string(80); }')),
  ).toEqual([])
})

test('with metrics, Prometheus reaches services but no database, and Grafana only Prometheus', () => {
  const { services, networks, volumes } = compose(
    'MyShop: project { #metrics(prometheus); } Home: service { name: string(80); }',
  )
  const networksOf = (name: string) => services[name]?.['networks']
  expect(networksOf('prometheus')).toEqual(['default', 'monitoring'])
  expect(networksOf('grafana')).toEqual(['monitoring'])
  expect(networksOf('home')).toEqual(['default', 'home-db'])
  expect(Object.keys(networks)).toEqual(['home-db', 'monitoring'])
  expect(Object.keys(volumes)).toEqual(['home-db-data', 'prometheus-data'])
  expect(services['prometheus']?.['ports']).toBeUndefined()
  expect(services['grafana']?.['ports']).toMatchObject([{ host_ip: '127.0.0.1' }])
  for (const name of ['prometheus', 'grafana'])
    expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
  expect(Object.keys(compose(WITHOUT_USERS).services)).not.toContain('prometheus')
})

describe('a shared server', () => {
  const SHARED = WITH_USERS.replace('#authMethod', '#database(postgres, server: shared); #authMethod')

  test('is one container with one volume, and has the databases of all services before they are migrated', () => {
    const { services, volumes, networks } = compose(SHARED)
    expect(Object.keys(services).filter((name) => /-db$|^postgres/.test(name))).toEqual([
      'postgres',
      'postgres.setup',
    ])
    expect([volumes, networks]).toEqual([{ 'postgres-data': {} }, { postgres: { internal: true } }])
    expect(services['postgres.setup']).toMatchObject({
      depends_on: { postgres: { condition: 'service_healthy' } },
      restart: 'no',
    })
    for (const name of ['auth', 'home', 'secrets']) {
      expect(services[`${name}.migrate`]).toMatchObject({
        networks: ['default', 'postgres'],
        depends_on: { 'postgres.setup': { condition: 'service_completed_successfully', required: false } },
      })
      expect(services[name]).toMatchObject({ networks: ['default', 'postgres'] })
    }
    expect(services['home']?.['environment']).toMatchObject({
      DATABASE_URL: '${HOME_DATABASE_URL:-postgres://home@postgres:5432/home}',
    })
    expect(services['gateway']).not.toHaveProperty('networks')
  })

  test('has none for a service with an external database, and does not run if all have one', () => {
    const { services } = compose(SHARED)
    expect(services['postgres.setup']?.['environment']).toMatchObject({
      DATABASES:
        '${AUTH_DATABASE_URL:+external:}auth ${HOME_DATABASE_URL:+external:}home ${SECRETS_DATABASE_URL:+external:}secrets',
    })
    for (const name of ['postgres', 'postgres.setup'])
      expect(services[name]?.['profiles']).toEqual([
        '${AUTH_DATABASE_URL:+${HOME_DATABASE_URL:+${SECRETS_DATABASE_URL:+external}}}',
      ])
  })

  test('accepts the connections that each service may open, and has memory for the rows of all', () => {
    const { services } = compose(SHARED)
    expect(services['postgres.setup']?.['environment']).toMatchObject({ CONNECTION_LIMIT: '48' })
    expect(services['postgres']?.['command']).toContain(`max_connections=${3 * 48 + 3}`)
    // 256 MiB and 128 MiB for each service, and what large rows of `secrets` need.
    expect(services['postgres']?.['mem_limit']).toBe('1792m')
  })

  test('gives each container only the secrets that it needs', () => {
    const { services } = compose(SHARED)
    const secretsOf = (name: string) =>
      ((services[name]?.['volumes'] ?? []) as { source?: string; target?: string }[]).flatMap(
        ({ source, target }) => (source?.includes('.secrets') === true ? [`${source} ${target}`] : []),
      )
    expect(secretsOf('home')).toEqual(['./.secrets/home /run/secrets'])
    expect(secretsOf('postgres')).toEqual(['./.secrets/postgres /run/secrets'])
    expect(secretsOf('postgres.setup')).toEqual([
      './.secrets/postgres /run/secrets/admin',
      './.secrets/auth-db /run/secrets/databases/auth',
      './.secrets/home-db /run/secrets/databases/home',
      './.secrets/secrets-db /run/secrets/databases/secrets',
    ])
  })

  test('comes with one script, which is not there otherwise', () => {
    const scripts = (text: string) => [...filesOf(text).keys()].filter((file) => file.startsWith('postgres/'))
    expect(scripts(SHARED)).toEqual(['postgres/create-databases.sh'])
    expect(scripts(WITH_USERS)).toEqual(['postgres/create-role.sh'])
  })
})
