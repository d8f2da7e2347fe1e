import { execFile } from 'node:child_process'
import { appendFileSync, cpSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { SignJWT } from 'jose'
import postgres from 'postgres'
import { beforeAll, describe, expect, it } from 'vitest'
import { openDatabases } from '../../src/dev/databases.ts'
import { planSchemaUpdates } from '../../src/dev/schema-updates.ts'
import { serviceSpecs } from '../../src/dev/service-specs.ts'
import { schemaHash } from '../../src/emit/database/hash.ts'
import type { TableSnapshot } from '../../src/emit/database/snapshot.ts'
import { emitProject } from '../../src/emit/project.ts'
import { stableJson } from '../../src/output/json.ts'
import { run, type Ended } from '../cli/harness.ts'
import { platformOf } from '../emit/platform.ts'
import { startService, temporaryDirectory, writeCredentials, writeFiles } from '../emit/service-process.ts'
import { readActions } from '../examples/walkthrough.ts'
import { generatedFile, treeOf } from '../output/project.ts'
import { freshDatabase, ownPostgres } from '../postgres.ts'

// A project that Portico 0.1.0 generated, with code of its user. Of the generated files, only some are kept here.
const OLD = join(import.meta.dirname, '0.1.0')
const DEFINITION = join(import.meta.dirname, 'stays.portico')
const ROOT = resolve(import.meta.dirname, '../..')
const DOCS = readFileSync(join(ROOT, 'docs/upgrading.md'), 'utf8')

const platform = platformOf(readFileSync(DEFINITION, 'utf8'))
const generated = new Set(emitProject(platform).map(({ path }) => path))
const old = treeOf(OLD)
const oldText = (path: string): string => old[path] ?? ''

const CHANGED_BY_USER = [
  'auth/src/setup.ts',
  'home/src/datastore.ts',
  'home/src/rates.ts',
  'home/src/setup.ts',
  'home/test/rates.test.ts',
]
const PACKAGES = ['home/package-lock.json', 'home/package.json']

let place = ''
let first: Ended
let moved: Readonly<Record<string, string>>

const generate = () => run(['generate', DEFINITION, '-o', 'stays'], { cwd: place })

beforeAll(async () => {
  place = await temporaryDirectory()
  cpSync(OLD, join(place, 'stays'), { recursive: true })
  first = await generate()
  moved = treeOf(join(place, 'stays'))
})

describe('a project of 0.1.0', () => {
  it('keeps every file of its user', () => {
    for (const path of [...CHANGED_BY_USER, 'host/src/setup.ts', '.gitignore'])
      expect(moved[path], path).toBe(oldText(path))
    for (const path of PACKAGES) expect(moved[`${path}.orig`], path).toBe(oldText(path))
  })

  it('has nothing else of the old layout', () => {
    const rest = Object.keys(moved).filter(
      (path) => !generated.has(path) && path !== '.portico/manifest.json',
    )
    expect(rest).toEqual(
      [
        'home/package-lock.json.orig',
        'home/package.json.orig',
        'home/src/rates.ts',
        'home/test/rates.test.ts',
      ].sort(),
    )
    expect([...generated].filter((path) => !(path in moved))).toEqual(['package-lock.json'])
    for (const path of ['auth/src/datastore.ts', 'host/src/datastore.ts'])
      expect(moved[path], path).toContain('export const queries')
  })

  it('has the dependencies of its services', () => {
    expect(JSON.parse(moved['package.json'] ?? '')).toMatchObject({
      name: 'stays',
      dependencies: { pg: expect.any(String), yaml: '2.9.1' },
    })
  })

  it('says what to do', () => {
    // The rest is about files that this copy of the project lacks.
    const { stderr } = first
    expect(stderr).toContain(
      `Your versions were kept:\n${PACKAGES.map((path) => `  ${path}.orig\n`).join('')}`,
    )
    expect(
      stderr.slice(stderr.indexOf('You changed'), stderr.indexOf('Next: run `portico')),
    ).toMatchInlineSnapshot(`
      "You changed dependencies:
        package-lock.json is missing: run \`npm install --prefix stays\`
      The project has a new layout, with one package.json and one lib/. docs/upgrading.md explains how to change your code
      Next: run \`npm install\` and \`npm run check\` in stays, which reports the code to change
      "
    `)
  })

  it('is not changed by the next generation', async () => {
    const { status, stderr } = await generate()
    expect(status).toBe(0)
    expect(stderr).toMatchInlineSnapshot(`
      "stays is up to date
      Kept 16 of your files
      You changed dependencies:
        package-lock.json is missing: run \`npm install --prefix stays\`
      "
    `)
    expect(treeOf(join(place, 'stays'))).toEqual(moved)
  })

  it('keeps generated files that were edited, or stops', async () => {
    const directory = join(await temporaryDirectory(), 'stays')
    const runThere = () => run(['generate', DEFINITION, '-o', directory])
    cpSync(OLD, directory, { recursive: true })
    appendFileSync(join(directory, 'home/src/app.ts'), '// Mine')
    const before = treeOf(directory)
    const stopped = await runThere()
    expect(stopped.status).toBe(3)
    expect(stopped.stderr).toContain('  home/src/app.ts (edited by hand)')
    expect(treeOf(directory)).toEqual(before)

    cpSync(join(OLD, 'home/src/app.ts'), join(directory, 'home/src/app.ts'))
    appendFileSync(join(directory, 'home/src/identity.ts'), '// Mine')
    const { status, stderr } = await runThere()
    expect(status).toBe(0)
    expect(stderr).toContain('although they are no longer generated:\n  home/src/identity.ts\n')
    expect(treeOf(directory)['home/src/identity.ts']).toMatch(/Mine$/)
  })
})

/** What docs/upgrading.md says about names in setup.ts. */
const NAMES = [
  ["import type { Caller } from './identity.ts'", "import type { Caller } from '#lib/tokens.ts'"],
  [
    "env.log.info('A home was listed', { home: home.id })",
    "env.log.info({ home: home.id }, 'A home was listed')",
  ],
] as const

/** The user's files, changed as docs/upgrading.md describes. */
function changedByHand(): Record<string, string> {
  let setup = oldText('home/src/setup.ts')
  for (const [before, after] of NAMES) {
    expect(DOCS).toContain(`| \`${before}\` | \`${after}\` |`)
    setup = setup.replace(before, after)
  }
  expect(DOCS).toContain(`\`\`\`ts\n${oldText('home/src/datastore.ts')}\`\`\``)
  const files = readActions(DOCS).flatMap((action) =>
    'path' in action ? [[action.path, action.content]] : [],
  )
  return { 'home/src/setup.ts': setup, ...Object.fromEntries(files) }
}

const files = () => Object.entries(moved).map(([path, text]) => generatedFile(path, text))

/** The type errors, of all files or only those that the user has to change. */
async function typeErrors(changes: Record<string, string>): Promise<string[]> {
  const project = await writeFiles(files(), changes)
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  const { stdout } = await promisify(execFile)(tsc, { cwd: project }).catch(
    (error: { stdout: string }) => error,
  )
  return stdout.split('\n').filter((line) => line !== '')
}

describe('the code of its user', () => {
  it('has type errors where docs/upgrading.md describes changes', async () => {
    const errors = (await typeErrors({})).flatMap((line) => /^(\S+)\(/.exec(line)?.[1] ?? [])
    expect([...new Set(errors)].sort()).toEqual([
      'home/src/datastore.ts',
      'home/src/hooks.ts',
      'home/src/setup.ts',
    ])
  })

  it('has none after these changes', async () => {
    expect(await typeErrors(changedByHand())).toEqual([])
  })
})

/** Runs SQL on a connection of its own. */
async function query(url: string, text: string): Promise<unknown[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return [...(await sql.unsafe(text))]
  } finally {
    await sql.end()
  }
}

const OWNER = '00000000-0000-7000-8000-000000000001'
const ROW = { id: OWNER, owner: OWNER, address: 'Elm Street 1', nightlyRate: 40 }
const INSERT = `INSERT INTO home (id, _owner, owner, address, nightly_rate, listed_at)
  VALUES ('${OWNER}', '${OWNER}', '${OWNER}', 'Elm Street 1', 40, '2026-01-01T00:00:00Z')`

describe('its databases', () => {
  it.each(['auth', 'host', 'home'])('are adopted by the migrations: %s', async (service) => {
    const database = await freshDatabase(oldText(`${service}-db/init.sql`))
    try {
      const project = await writeFiles(files())
      const migrate = ['lib/migrate.ts', service]
      const options = { cwd: project, env: { DATABASE_URL: database.url } }
      const { stdout } = await promisify(execFile)(process.execPath, migrate, options)
      expect(stdout).toBe(
        `Recorded ${service}-db/migrations/0001_initial.sql as applied: the database already has its schema\n`,
      )
    } finally {
      await database.drop()
    }
  })

  it('keep their rows, which the services return', async () => {
    const database = await freshDatabase(oldText('home-db/init.sql'))
    await database.sql.unsafe(INSERT)
    const credentials = await writeCredentials(await temporaryDirectory())
    const env = { DATABASE_URL: database.url, GATEWAY_CREDENTIALS_FILE: credentials.file }
    const service = await startService(files(), 'home', env, changedByHand())
    try {
      expect(service.output.text).toContain('"message":"ready"')
      expect((await fetch(`${service.internalUrl}/health/ready`)).status).toBe(200)
      const token = await new SignJWT({ id: OWNER })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(credentials.id)
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(credentials.secret)
      const get = async (path: string): Promise<unknown> => {
        const response = await fetch(`${service.url}${path}`, {
          headers: { authorization: `Bearer ${token}` },
        })
        return response.json()
      }
      expect(await get(`/home/${OWNER}`)).toMatchObject(ROW)
      const { owner: _, ...found } = ROW
      expect(await get('/home/cheap?below=50')).toEqual({ homes: [found] })
    } finally {
      await service.discard()
      await database.drop()
    }
  })

  it('keep their rows in `portico dev`', async () => {
    await using stack = new AsyncDisposableStack()
    const server = await ownPostgres()
    stack.defer(() => server.discard())
    const spec = serviceSpecs(platform, emitProject(platform)).find(({ directory }) => directory === 'home')
    if (spec === undefined) throw new Error('home is missing')
    // As `portico dev` of 0.1.0 left it: the comment has the tables, as the manifest does.
    const { databases: known } = (
      JSON.parse(oldText('.portico/manifest.json')) as {
        schema: { databases: { directory: string; tables: TableSnapshot[] }[] }
      }
    ).schema
    const tables = known.find(({ directory }) => directory === 'home-db')?.tables ?? []
    const { url } = await server.ensureDatabase('home')
    await query(url, `${oldText('home-db/init.sql')}; ${INSERT}`)
    const comment = stableJson(tables).replaceAll("'", "''")
    await query(server.superuserUrl(), `COMMENT ON DATABASE home IS '${comment}'`)

    const databases = openDatabases(server)
    stack.defer(databases.close)
    const changed = { ...spec.schema, tables: [], hash: schemaHash([]) }
    await expect(
      databases.changed([changed]).then((all) => planSchemaUpdates(all, undefined)),
    ).rejects.toThrow(
      'The database of `home` has a different schema, which an early version of Portico did not record',
    )
    expect(await databases.changed([spec.schema])).toEqual([])
    const adopted = await databases.ensure(spec.schema)
    expect(await query(adopted, 'SELECT address FROM home')).toEqual([{ address: 'Elm Street 1' }])
    expect(await query(adopted, 'SELECT schema FROM _migration')).toEqual([{ schema: spec.schema.hash }])
    // Its schema is recorded, so that it can change from now on.
    expect(await databases.changed([changed])).toMatchObject([{ tables: spec.schema.tables }])
  })
})
