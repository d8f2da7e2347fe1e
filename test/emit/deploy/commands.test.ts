import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { type Place, place } from './fixture.ts'

const containersOf = (where: Place, service: string): string[] =>
  readdirSync(path.join(where.fake, 'containers')).filter((name) => name.startsWith(`${service}-id`))

/** Spares the wait for a gateway that is not there. */
async function quickPlace(): Promise<Place> {
  const where = await place()
  const text = where.read('deploy.sh').replace('GATEWAY_LEARNS_SECONDS=3', 'GATEWAY_LEARNS_SECONDS=0')
  writeFileSync(path.join(where.directory, 'deploy.sh'), text)
  return where
}

test('--help names every command, without Docker', async () => {
  const where = await place()
  where.fault('daemon', 'no')
  const { stdout, status } = await where.deploy('--help')
  expect(status).toBe(0)
  for (const word of ['status', 'logs', 'stop', 'destroy', 'rotate', 'scale', 'GATEWAY_PORT', '--finish'])
    expect(stdout).toContain(word)
  expect(where.calls()).toEqual([])
})

test.each([
  ['stauts', 'status'],
  ['log', 'logs'],
  ['destory', 'destroy'],
])('%s: did you mean %s?', async (mistyped, meant) => {
  const { stderr, status } = await (await place()).deploy(mistyped)
  expect(stderr).toBe(
    `deploy.sh: There is no command ${mistyped}. Did you mean ${meant}? See ./deploy.sh --help.\n`,
  )
  expect(status).toBe(1)
})

test('an engine before 25, which asks late whether a container is healthy, is not waited for', async () => {
  const where = await place()
  for (const service of ['home-db', 'home']) where.fault(`unasked-${service}`, '')
  const { stdout, stderr, status } = await where.deploy()
  expect(status, stderr).toBe(0)
  expect(stdout).toMatch(/ {2}\/api\/home +home +1 of 1 healthy\n/)
  const [database = '', service = ''] = ['home-db', 'home'].flatMap((name) => containersOf(where, name))
  const asked = where.calls().filter((call) => call.startsWith('exec'))
  const check = (id: string) => `exec ${id} check ${id}`
  expect(asked).toEqual([...Array<string>(3).fill(check(database)), ...Array<string>(3).fill(check(service))])
  expect((await where.deploy('status')).stdout).toMatch(/ {2} +home-db +1 of 1 healthy\n/)
})

test('a health check that hangs is given up and asked again', async () => {
  const where = await place()
  where.fault('unasked-home', '')
  where.fault('exec-hangs', '')
  const { stdout, stderr, status } = await where.deploy()
  expect(status, stderr).toBe(0)
  expect(stdout).toMatch(/ {2}\/api\/home +home +1 of 1 healthy\n/)
})

test('an engine from 25 on asks by itself', async () => {
  const where = await place()
  where.answer('version', '1.44 25.0.0')
  where.fault('unasked-home', '')
  const deploying = where.deploy()
  const container = await vi.waitFor(() => {
    const [id] = containersOf(where, 'home')
    if (id === undefined) throw new Error('home has no container yet')
    return path.join(where.fake, 'containers', id)
  }, 20_000)
  writeFileSync(container, readFileSync(container, 'utf8').replace('starting', 'healthy'))
  expect((await deploying).status).toBe(0)
  expect(where.calls().filter((call) => call.startsWith('exec'))).toEqual([])
})

test('what several images have in common is built once: one goes ahead, then one of each set of packages', async () => {
  const where = await place(`Demo: project {}
A: service { name: string; }
B: service { name: string; }
C: service { name: string; }
D: service { name: string; }`)
  const install = (service: string, text: string) =>
    writeFileSync(path.join(where.directory, service, 'package-lock.json'), text)
  for (const service of ['a', 'b']) install(service, 'one')
  for (const service of ['c', 'd']) install(service, 'other')
  expect((await where.deploy()).status).toBe(0)
  const builds = where.calls().filter((call) => call.startsWith('compose build'))
  expect(builds).toEqual(['compose build a', 'compose build c gateway', 'compose build b d'])
})

test('status says what runs where', async () => {
  const where = await place()
  expect((await where.deploy('status')).stdout).toMatch(
    /^Demo does not run\.\n.*\/api\/home +home +not running/s,
  )
  await where.deploy()
  const { stdout } = await where.deploy('status')
  expect(stdout).toContain(`Demo runs at http://${where.entry}\n`)
  expect(stdout).toMatch(/ {2}\/api\/auth +auth +1 of 1 healthy\n/)
  expect(stdout).toMatch(/ {2} +home-db +1 of 1 healthy\n/)
  await where.deploy('stop')
  expect((await where.deploy('status')).stdout).toMatch(
    /^Demo does not run\.\n.*\/api\/home +home +stopped\n/s,
  )
})

test('logs of one service or of all; a mistyped one is suggested', async () => {
  const where = await place()
  expect((await where.deploy('logs', 'home')).stdout).toBe('logs of home\n')
  await where.deploy('logs', '--tail', '5')
  expect(where.calls()).toContain('compose logs --tail 5')
  expect((await where.deploy('logs', 'hoem')).stderr).toMatch(
    /There is no service hoem\. Did you mean home\? There are: auth user home /,
  )
})

test('scale is remembered by later runs, until it is told otherwise', async () => {
  const where = await quickPlace()
  await where.deploy()
  expect((await where.deploy('scale', 'home', '3')).stdout).toBe('home runs in 3 containers.\n')
  expect(containersOf(where, 'home')).toHaveLength(3)
  await where.deploy('stop')
  await where.deploy()
  expect(containersOf(where, 'home')).toHaveLength(3)
  writeFileSync(path.join(where.directory, 'home/Dockerfile'), 'FROM other')
  const before = containersOf(where, 'home')
  expect((await where.deploy()).stdout).toContain('Replacing home\n')
  expect(containersOf(where, 'home')).toHaveLength(3)
  expect(containersOf(where, 'home').filter((name) => before.includes(name))).toEqual([])
  await where.deploy('scale', 'home', '1')
  expect(containersOf(where, 'home')).toHaveLength(1)
})

test.each([
  [['home'], /scale takes a service and a number/],
  [['home', '0'], /from 1 to 999, not 0/],
  [['home', 'two'], /from 1 to 999, not two/],
  [['home-db', '2'], /home-db is a database, which runs once/],
  [['gateway', '2'], /gateway runs once, since it holds the port/],
  [['hme', '2'], /There is no service hme\. Did you mean home\?/],
])('scale %j is refused', async (args, reason) => {
  const { stderr, status } = await (await place()).deploy('scale', ...args)
  expect(stderr).toMatch(reason)
  expect(status).toBe(1)
})

test.each(['up', 'status', 'stop', 'help'])('%s with an argument does nothing', async (command) => {
  const where = await place()
  const { stderr, status } = await where.deploy(command, 'home')
  expect(stderr).toBe(
    `deploy.sh: ${command} takes no argument, so not home either: see ./deploy.sh --help.\n`,
  )
  expect(status).toBe(1)
  expect(where.calls()).toEqual([])
})

test('a run that looks leaves the log of one that builds alone', async () => {
  const where = await place()
  await where.deploy()
  const log = where.read('.deploy/log')
  expect(log).toContain('compose build')
  await where.deploy('status')
  expect(where.read('.deploy/log').startsWith(log)).toBe(true)
})

test('destroy asks, and without a terminal refuses unless told so', async () => {
  const where = await place()
  await where.deploy()
  where.calls()
  const refused = await where.deploy('destroy')
  expect(refused.stderr).toMatch(/there is no terminal to ask on: use destroy --yes\.\n$/)
  expect(where.calls().filter((call) => call.includes(' down '))).toEqual([])
  expect((await where.deploy('destroy', '--yes')).stdout).toBe('Demo is deleted. Its files are still here.\n')
  expect(readdirSync(where.directory).filter((name) => name.startsWith('.'))).toEqual([])
})

test('a run with nothing to do builds, starts and replaces nothing', async () => {
  const where = await place()
  await where.deploy()
  where.calls()
  expect((await where.deploy()).status).toBe(0)
  expect(
    where.calls().filter((call) => /compose (?:.* )?(?:build|up|run|stop)|^(?:stop|rm)/.test(call)),
  ).toEqual([])
})

test('only what changed is replaced: beside the old one, the gateway last', async () => {
  const where = await quickPlace()
  await where.deploy()
  const before = readdirSync(path.join(where.fake, 'containers'))
  mkdirSync(path.join(where.fake, 'hashes'), { recursive: true })
  writeFileSync(path.join(where.fake, 'hashes/gateway'), 'second')
  writeFileSync(path.join(where.directory, 'home/Dockerfile'), 'FROM other')
  writeFileSync(path.join(where.fake, 'hashes/user-db'), 'second')
  where.calls()
  expect((await where.deploy()).status).toBe(0)
  const calls = where.calls().filter((call) => /^compose (?:build|up)|^stop/.test(call))
  expect(calls).toEqual([
    'compose build home',
    'compose up --detach --no-build --no-deps user-db',
    'compose up --detach --no-build --no-deps --no-recreate --scale home=2 home',
    expect.stringMatching(/^stop home-id\d+$/),
    'compose up --detach --no-build --no-deps gateway',
  ])
  const after = readdirSync(path.join(where.fake, 'containers'))
  const gone = before.filter((name) => !after.includes(name)).map((name) => name.replace(/-id\d+/, ''))
  expect(gone.sort()).toEqual(['gateway', 'home', 'user-db'])
})

test('a service that is gone from the definition is stopped, and its data named', async () => {
  const where = await place()
  await where.deploy()
  where.answer('services', 'gateway auth auth-db user user-db')
  const script = where.read('deploy.sh').replace('\nhome home-db /api/home', '')
  writeFileSync(path.join(where.directory, 'deploy.sh'), script)
  const { stdout } = await where.deploy()
  expect(stdout).toContain('home is gone from the definition and was stopped.\n')
  expect(stdout).toContain(
    'Its data is still in the volume demo_home-db-data; docker volume rm demo_home-db-data deletes it.\n',
  )
  expect(containersOf(where, 'home')).toEqual([])
  expect(readFileSync(path.join(where.fake, 'volumes'), 'utf8')).toContain('demo_home-db-data')
})

test('of two runs one waits for the other', async () => {
  const where = await place()
  const both = await Promise.all([where.deploy(), where.deploy()])
  expect(both.map(({ status }) => status)).toEqual([0, 0])
  expect(both.map(({ stderr }) => stderr)).toEqual(['', ''])
  expect(both.filter(({ stdout }) => stdout.includes('Waiting for another run of deploy.sh'))).toHaveLength(1)
  expect(containersOf(where, 'home')).toHaveLength(1)
  expect(existsSync(path.join(where.directory, '.deploy/lock'))).toBe(false)
})

test('the lock of a run that was killed is broken', async () => {
  const where = await place()
  mkdirSync(path.join(where.directory, '.deploy/lock'), { recursive: true })
  writeFileSync(path.join(where.directory, '.deploy/lock/process'), '4194999\n')
  const both = await Promise.all([where.deploy(), where.deploy()])
  expect(both.map(({ status }) => status)).toEqual([0, 0])
})
