import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { moveCommands } from '../../../src/emit/docs/database-commands.ts'
import type { Platform } from '../../../src/model/platform.ts'
import { onOneServer, SMALL } from './definitions.ts'
import type { Deployment } from './deployment.ts'
import { type Outcome, outcomeOf } from './docker.ts'

const SHARED = onOneServer(SMALL)
const WITH_NOTE = `${SHARED}\nNote: service {\n  #language(go);\n  text: string(80);\n}\n`
const USER = { email: 'moved@example.com', password: 'correct horse' }

/** One Postgres for all services, to which a platform with data moves, and back. */
export function sharedServer(small: () => Deployment): void {
  let headers: Record<string, string> = {}
  let owner = ''

  async function ask(method: string, target: string, body?: object): Promise<Record<string, string>> {
    const text = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`http://${small().gateway}/api/${target}`, { method, headers, ...text })
    return { status: String(response.status), ...((await response.json()) as object) }
  }

  async function deployed(): Promise<void> {
    const { status, stderr } = await small().script()
    expect(status, stderr).toBe(0)
  }

  /** Runs the commands that `generate` prints, which suppose that Compose takes the name of the project. */
  async function move(previous: Platform): Promise<void> {
    const { directory, env, platform, project } = small()
    const commands = moveCommands(previous, platform)
      .join('\n')
      .replaceAll(` ${platform.names.kebab}-`, ` ${project}-`)
    const outcome = await outcomeOf('bash', ['-euxo', 'pipefail', '-c', commands], { cwd: directory, env })
    expect(outcome.status, outcome.stderr).toBe(0)
  }

  async function expectRefusal(server: string): Promise<void> {
    const { status, stderr } = await small().script()
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(
        `The database server ${server} is no longer in the definition, but it has data`,
      ),
    ])
  }

  /** What a role reads in a database, through the network, with a password. */
  async function read(service: string, database: string): Promise<Outcome> {
    const password = await readFile(
      path.join(small().directory, `.secrets/${service}/database-password`),
      'utf8',
    )
    const [container] = await small().containers('postgres')
    const url = `postgres://${service}:${password}@127.0.0.1/${database}`
    return outcomeOf('docker', [
      'exec',
      container?.Id ?? '',
      'psql',
      url,
      '-Atc',
      'SELECT count(*) FROM _migration',
    ])
  }

  async function psql(statement: string, database = 'postgres'): Promise<string> {
    const command = `PGPASSWORD=$(cat /run/secrets/admin-password) psql -h 127.0.0.1 -U postgres -d ${database} -Atc "${statement}"`
    return (await small().exec('postgres', 'bash', '-c', command)).stdout.trim()
  }

  const volumes = async () =>
    (
      await outcomeOf('docker', [
        'volume',
        'ls',
        '--quiet',
        '--filter',
        `label=com.docker.compose.project=${small().project}`,
      ])
    ).stdout.replaceAll(`${small().project}_`, '')

  test('nothing starts before the data has moved, which the commands of `generate` do', async () => {
    const { AccessToken } = await ask('POST', 'auth/register', USER)
    headers = { authorization: `Bearer ${AccessToken}` }
    owner = (await ask('POST', 'owner', { name: 'Ada' }))['id'] ?? ''
    const previous = small().platform
    await small().regenerate(SHARED)
    await expectRefusal('auth-db')
    expect(await ask('GET', `owner/${owner}`)).toMatchObject({ status: '200' })
    await move(previous)
    expect(await ask('GET', `owner/${owner}`)).toMatchObject({ status: '200', name: 'Ada' })
    expect(await ask('POST', 'auth/login', USER)).toMatchObject({ status: '200' })
    const services = (await small().containers()).map(
      ({ Config }) => Config.Labels['com.docker.compose.service'],
    )
    expect(new Set(services.filter((service = '') => /-db$|^postgres/.test(service)))).toEqual(
      new Set(['postgres', 'postgres.setup']),
    )
    expect(await volumes()).toContain('home-db-data')
  })

  test('a role enters no other database, and opens no more connections than it may', async () => {
    expect(await read('home', 'home')).toMatchObject({ status: 0 })
    for (const database of ['owner', 'auth', 'postgres', 'template1'])
      expect((await read('home', database)).stderr).toContain(`permission denied for database "${database}"`)
    expect(await psql("SELECT rolconnlimit FROM pg_roles WHERE rolname IN ('home', 'owner')")).toBe('48\n48')
    expect(await psql('SHOW max_connections')).toBe('147')
    expect(await psql("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'", 'home')).toBe(
      'home',
    )
  })

  test('a service that is added later gets its database, and the others keep theirs', async () => {
    await small().regenerate(WITH_NOTE)
    await deployed()
    expect(await ask('POST', 'note', { text: 'In Go' })).toMatchObject({ status: '201' })
    expect(await ask('GET', `owner/${owner}`)).toMatchObject({ status: '200', name: 'Ada' })
    expect((await read('note', 'home')).stderr).toContain('permission denied for database "home"')
    expect((await read('home', 'note')).stderr).toContain('permission denied for database "note"')
    const before = await small().containers('postgres')
    await deployed()
    expect((await small().containers('postgres'))[0]?.Id).toBe(before[0]?.Id)
  })

  test('the data moves back to a server for each service', async () => {
    await outcomeOf('docker', [
      'volume',
      'rm',
      ...['auth', 'home', 'owner'].map((name) => `${small().project}_${name}-db-data`),
    ])
    const previous = small().platform
    await small().regenerate(WITH_NOTE.replace('#database(postgres, server: shared);', ''))
    await expectRefusal('postgres')
    await move(previous)
    expect(await ask('GET', `owner/${owner}`)).toMatchObject({ status: '200', name: 'Ada' })
    expect(await volumes()).toContain('postgres-data')
  })
}
