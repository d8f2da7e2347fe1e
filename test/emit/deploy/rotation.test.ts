import { existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type Place, place } from './fixture.ts'

interface Entry {
  readonly id: string
  readonly secret: string
  readonly expires?: number
}

/** What a service got with one tar. */
async function entriesOf(where: Place, service: string, tar?: number): Promise<readonly Entry[]> {
  const files = await where.installed(tar)
  const text = files[`1000/${service}-secrets/gateway-credentials`] ?? ''
  return (JSON.parse(text) as { credentials: readonly Entry[] }).credentials
}

/** The keys of both slots, as the gateway got them. */
async function gatewayKeys(where: Place, tar?: number): Promise<readonly string[]> {
  const text = (await where.installed(tar))['101/gateway-secrets/tokens.json'] ?? ''
  return [...text.matchAll(/\\"k\\":\\"([\w-]+)\\"/g)].map(([, key]) => key ?? '')
}

const short = (entries: readonly Entry[]): string =>
  entries.map(({ id, expires }) => `${id.slice(-1)}${expires === undefined ? '' : ' ends'}`).join(', ')

/** Lets the time of the old credential pass. */
function endNow(where: Place): void {
  const clock = '#!/bin/sh\nif [ "$*" = "-u +%s" ]; then echo 9999999999; else exec /bin/date "$@"; fi\n'
  writeFileSync(path.join(where.directory, '../bin/date'), clock, { mode: 0o755 })
}

async function running(): Promise<Place> {
  const where = await place()
  const script = path.join(where.directory, 'deploy.sh')
  // The pretended gateway learns nothing, so there is nothing to wait for.
  writeFileSync(
    script,
    where.read('deploy.sh').replace('GATEWAY_LEARNS_SECONDS=3', 'GATEWAY_LEARNS_SECONDS=0'),
  )
  expect((await where.deploy()).status).toBe(0)
  where.calls()
  return where
}

test('gateway and services take both, then the authentication service signs with the new one, then the old one gets its end', async () => {
  const where = await running()
  const [before] = await entriesOf(where, 'home')
  const begun = Math.floor(Date.now() / 1000)
  const { stdout, stderr, status } = await where.deploy('rotate')
  expect(stderr).toBe('')
  expect(status).toBe(0)
  expect(stdout).toMatch(/Tokens are signed with the new credential\. The old one is valid until /)

  const steps = [1, 2, 3].map(async (tar) => [
    short(await entriesOf(where, 'auth', tar)),
    short(await entriesOf(where, 'home', tar)),
  ])
  expect(await Promise.all(steps)).toEqual([
    ['1, 2', '1, 2'],
    ['2, 1', '1, 2'],
    ['2, 1 ends', '1 ends, 2'],
  ])
  const last = await entriesOf(where, 'auth')
  expect(last[1]?.secret).toBe(before?.secret)
  expect(last[0]?.secret).not.toBe(before?.secret)
  expect(last[1]?.expires).toBeGreaterThanOrEqual(begun + 24 * 3600)
  expect(last[1]?.expires).toBeLessThan(begun + 24 * 3600 + 60)
  expect(await gatewayKeys(where, 1)).toEqual([before?.secret, last[0]?.secret])

  // Every container is replaced after the tar that concerns it; in the middle the authentication service alone.
  const order = where.calls().flatMap((call) => {
    if (call.includes(' run ')) return ['secrets']
    const replaced = / up .*--no-recreate (?:--scale \S+ )+(.*)/.exec(call)?.[1]
    return replaced === undefined ? [] : [replaced]
  })
  expect(order).toEqual(['secrets', 'auth user home', 'secrets', 'auth', 'secrets', 'auth user home'])
})

test('--hours sets the end, and says what that means for users', async () => {
  const where = await running()
  const begun = Date.now() / 1000
  const { stdout } = await where.deploy('rotate', '--hours', '2')
  const [, old] = await entriesOf(where, 'auth')
  expect(Math.abs((old?.expires ?? 0) - begun - 7200)).toBeLessThan(60)
  expect(stdout).toContain('users who signed in before now have to sign in again after that time')
  for (const hours of ['0', '-1', '1.5', 'x', '', '99999'])
    expect((await where.deploy('rotate', '--hours', hours)).stderr).toMatch(
      /^deploy\.sh: rotate --hours takes /,
    )
})

test('--finish ends the old one everywhere, and the next rotation makes a third', async () => {
  const where = await running()
  const early = await where.deploy('rotate', '--finish')
  expect(early.stderr).toBe('deploy.sh: No rotation is under way, so there is no old credential to end.\n')
  await where.deploy('rotate')
  const again = await where.deploy('rotate')
  expect(again.stderr).toMatch(
    /^deploy\.sh: A rotation is under way: the old credential is valid until .*--finish, or wait\.\n$/,
  )
  const [current, old] = await entriesOf(where, 'auth')
  where.calls()
  expect((await where.deploy('rotate', '--finish')).status).toBe(0)
  expect(await entriesOf(where, 'home')).toEqual([current])
  const [first, second] = await gatewayKeys(where)
  expect(second).toBe(current?.secret)
  expect(first).not.toBe(old?.secret)
  expect(existsSync(path.join(where.directory, '.secrets/credentials/1'))).toBe(false)
  expect(where.calls().some((call) => call.endsWith(' auth user home'))).toBe(true)

  await where.deploy('rotate')
  expect(short(await entriesOf(where, 'auth'))).toBe('1, 2 ends')
  expect(short(await entriesOf(where, 'home'))).toBe('1, 2 ends')
  const third = await entriesOf(where, 'auth')
  expect(third[0]?.secret).not.toBe(old?.secret)
})

test.each([['status'], ['stop'], []])(
  'once its time is up, the next run (%s) drops the old one',
  async (...command) => {
    const where = await running()
    await where.deploy('rotate')
    const [current, old] = await entriesOf(where, 'auth')
    endNow(where)
    where.calls()
    const { stdout } = await where.deploy(...command)
    expect(stdout).toContain('The old credential of a rotation has reached its end and is gone.')
    expect(await entriesOf(where, 'home')).toEqual([current])
    expect(await gatewayKeys(where)).not.toContain(old?.secret)
    expect(existsSync(path.join(where.directory, '.secrets/credentials/1'))).toBe(false)
    // Services refuse it by themselves, so nothing is replaced.
    expect(where.calls().filter((call) => call.includes('--scale'))).toEqual([])
  },
)

test.each([1, 2, 3])(
  'interrupted after its step %i it is told by every run, and completed by the next rotate',
  async (step) => {
    const where = await running()
    // The secrets of one more step cannot be put in place.
    const script = where.read('deploy.sh')
    const file = path.join(where.directory, 'deploy.sh')
    const failing = script.replace(
      'install_secrets() {',
      `install_secrets() {\n  steps=$((\${steps-0} + 1)); if [ "$steps" = ${step} ]; then exit 9; fi`,
    )
    writeFileSync(file, failing)
    expect((await where.deploy('rotate')).status).toBe(9)
    writeFileSync(file, script)
    const signing = (await entriesOf(where, 'auth'))[0]?.id
    expect(signing).toBe(step < 3 ? 'auth-service-1' : 'auth-service-2')
    const deployed = await where.deploy()
    expect(deployed.status).toBe(0)
    expect((await where.deploy('rotate', '--hours', '24')).status).toBe(step === 3 ? 1 : 0)
    expect(short(await entriesOf(where, 'auth'))).toBe('2, 1 ends')
    expect(short(await entriesOf(where, 'home'))).toBe('1 ends, 2')
  },
)

test('a platform that does not run is not rotated', async () => {
  const where = await running()
  rmSync(path.join(where.fake, 'containers'), { recursive: true })
  expect((await where.deploy('rotate')).stderr).toMatch(
    /^deploy\.sh: The platform does not run, .* start it with source deploy\.sh first\.\n$/,
  )
})
