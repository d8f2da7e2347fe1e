import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Deployment } from './deployment.ts'
import { type Container, docker, type Outcome } from './docker.ts'

const CODE = ['auth', 'home', 'owner']
const DATABASES = CODE.map((service) => `${service}-db`)
const ALL = [...CODE, ...DATABASES, 'gateway']
const MIGRATIONS = CODE.map((service) => `${service}.migrate`)

/** What containers may do, and what they know. */
export function privileges(small: () => Deployment): void {
  let containers: ReadonlyMap<string, Container>

  beforeAll(async () => {
    containers = new Map((await small().containers()).map((container) => [serviceOf(container), container]))
  })

  function serviceOf({ Config }: Container): string {
    return Config.Labels['com.docker.compose.service'] ?? ''
  }

  function containerOf(service: string): Container {
    const found = containers.get(service)
    if (!found) throw new Error(`${service} has no container`)
    return found
  }

  /** What a line of shell prints in a container. */
  async function shell(service: string, line: string): Promise<Outcome> {
    return small().exec(service, 'bash', '-c', line)
  }

  /** The SQLSTATE of a statement that a service's container sends to its database, or `done`. */
  async function query(service: string, statement: string, options: string): Promise<string> {
    const program = `
    import { readFileSync } from 'node:fs'
    import { Client } from 'pg'
    const password = readFileSync('/run/secrets/database-password', 'utf8').trim()
    const client = new Client({ host: '${service}-db', database: '${service}', user: '${service}', password, ...${options} })
    const query = async () => { await client.connect(); await client.query(${JSON.stringify(statement)}) }
    console.log(await query().then(() => 'done', (error) => error.code))
    await client.end()`
    const { stdout, stderr } = await small().exec(service, 'node', '--input-type=module', '-e', program)
    return stdout.trim() + stderr
  }

  test('only the containers of the platform exist', () => {
    expect([...containers.keys()].sort()).toEqual([...ALL, ...MIGRATIONS].sort())
  })

  describe.each(ALL)('%s', (service) => {
    test('runs without root, capabilities or a way to gain any', async () => {
      const { stdout } = await shell(
        service,
        'id -u; grep -E "^(Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs)" /proc/self/status',
      )
      const [id, ...status] = stdout.trim().split('\n')
      expect(Number(id)).toBeGreaterThan(0)
      expect(status.map((line) => line.split(/\s+/))).toEqual([
        ...['CapInh:', 'CapPrm:', 'CapEff:', 'CapBnd:', 'CapAmb:'].map((set) => [set, '0000000000000000']),
        ['NoNewPrivs:', '1'],
      ])
      const { HostConfig } = containerOf(service)
      expect(HostConfig.Privileged).toBe(false)
      expect(HostConfig.CapAdd).toBeNull()
    })

    test('cannot write to its file system but for /tmp, and cannot run what it writes there', async () => {
      const line =
        'for d in / /etc /usr/local/bin /app /app/lib /etc/envoy /run/secrets; do touch $d/x 2>/dev/null && echo $d; done; true'
      expect((await shell(service, line)).stdout).toBe('')
      const { stderr, status } = await shell(service, 'cp /usr/bin/true /tmp/x && /tmp/x')
      expect([status, stderr]).toEqual([126, expect.stringContaining('Permission denied')])
    })

    test('is limited and restarts by itself', () => {
      const { HostConfig } = containerOf(service)
      expect(HostConfig.Memory).toBeGreaterThan(100 << 20)
      expect(HostConfig.PidsLimit).toBeGreaterThan(0)
      expect(HostConfig.Init).toBe(true)
      expect(HostConfig.RestartPolicy.Name).toBe('unless-stopped')
      expect(HostConfig.LogConfig).toEqual({
        Type: 'json-file',
        Config: { 'max-file': '3', 'max-size': '10m' },
      })
    })

    test('passes its own health check, which the engine may come to late', async () => {
      const { Id } = containerOf(service)
      await expect.poll(() => docker('inspect', '--format', '{{.State.Health.Status}}', Id)).toBe('healthy')
    })
  })

  test('only the gateway publishes a port, on loopback', () => {
    const published = [...containers].flatMap(([service, { HostConfig }]) =>
      Object.entries(HostConfig.PortBindings ?? {}).map(([port, [binding]]) => [
        service,
        port,
        binding?.HostIp,
      ]),
    )
    expect(published).toEqual([['gateway', '10000/tcp', '127.0.0.1']])
  })

  test('the admin interface of the gateway is reachable only in its container', async () => {
    const line = (host: string) => `exec 3<>/dev/tcp/${host}/9901`
    expect((await shell('gateway', line('127.0.0.1'))).status).toBe(0)
    expect((await shell('home', line('gateway'))).stderr).toContain('Connection refused')
    expect((await shell('home', 'exec 3<>/dev/tcp/gateway/10000')).status).toBe(0)
  })

  describe('a database', () => {
    test.each(DATABASES)(
      '%s can be reached only by its own service, and reaches nothing',
      async (database) => {
        const own = database.replace(/-db$/, '')
        for (const service of [...CODE, 'gateway']) {
          const { status } = await shell(service, `exec 3<>/dev/tcp/${database}/5432`)
          expect([service, status === 0]).toEqual([service, service === own])
        }
        expect((await shell(database, 'exec 3<>/dev/tcp/gateway/10000')).status).not.toBe(0)
        expect((await shell(database, 'cat /proc/net/route')).stdout).not.toMatch(/^\S+\s+00000000\s/m)
      },
    )

    test('requires a password, also for the superuser', async () => {
      expect(await query('home', 'SELECT 1', '{}')).toBe('done')
      expect(await query('home', 'SELECT 1', "{ password: 'wrong' }")).toBe('28P01')
      expect(await query('home', 'SELECT 1', "{ user: 'postgres' }")).toBe('28P01')
    })

    test.each([
      ['make roles', 'CREATE ROLE intruder', '42501'],
      ['make databases', 'CREATE DATABASE intruder', '42501'],
      ['become superuser', 'ALTER ROLE home SUPERUSER', '42501'],
      ['read passwords', 'SELECT * FROM pg_authid', '42501'],
      ['read files', "SELECT pg_read_file('/run/secrets/admin-password')", '42501'],
      ['run programs', "COPY home FROM PROGRAM 'id'", '42501'],
      ['use its own tables', 'SELECT * FROM home', 'done'],
    ])("a service's role and what it may do: %s", async (_, statement, outcome) => {
      expect(await query('home', statement, '{}')).toBe(outcome)
    })

    test.each(['postgres', 'template1'])(
      "a service's role cannot enter the database %s",
      async (database) => {
        expect(await query('home', 'SELECT 1', `{ database: '${database}' }`)).toBe('42501')
      },
    )
  })

  describe('secrets', () => {
    test.each([
      ['home', '/run/secrets', ['database-password', 'env', 'gateway-credentials']],
      ['auth', '/run/secrets', ['database-password', 'env', 'gateway-credentials']],
      ['home-db', '/run/secrets', ['admin-password', 'database-password']],
      ['gateway', '/etc/envoy/secrets', ['tokens.json']],
    ])('%s has only its own', async (service, directory, files) => {
      const { stdout } = await shell(service, `ls -A ${directory}`)
      expect(stdout.trim().split('\n')).toEqual(files)
      expect((await shell(service, `cat ${directory}/* >/dev/null`)).status).toBe(0)
    })

    test('only their owner can enter their directory on the host', () => {
      expect(statSync(path.join(small().directory, '.secrets')).mode & 0o777).toBe(0o700)
    })

    test('are in no environment, command, label or layer', async () => {
      const secrets = filesBelow(path.join(small().directory, '.secrets')).flatMap((file) =>
        /(?:password|credentials)$/.test(file)
          ? [readFileSync(file, 'utf8').trim().split(' ').at(-1) ?? '']
          : [],
      )
      expect(secrets.length).toBeGreaterThanOrEqual(2 * CODE.length + 1)
      const images = [...containers.values()].map(({ Image }) => Image)
      const histories = await Promise.all(images.map((image) => docker('history', '--no-trunc', image)))
      const known = [
        await docker('inspect', ...[...containers.values()].map(({ Id }) => Id)),
        ...histories,
      ].join('\n')
      expect(secrets.filter((secret) => known.includes(secret))).toEqual([])
    })

    function filesBelow(directory: string): string[] {
      return readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name))
    }
  })

  test('an image of a service contains only what it runs', async () => {
    expect((await shell('home', 'ls -A . home home-db')).stdout.trim().split(/\s+/)).toEqual([
      '.:',
      'home',
      'home-db',
      'lib',
      'node_modules',
      'package.json',
      'shared',
      'home:',
      'src',
      'home-db:',
      'migrations',
    ])
    const { stdout } = await shell('home', 'ls node_modules')
    expect(stdout).toContain('hono')
    expect(stdout).not.toContain('typescript')
  })
}
