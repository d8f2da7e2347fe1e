import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Place, place } from './fixture.ts'

/** One sentence that says what to do, a status, and a shell that goes on. */
async function expectSentence(
  where: Place,
  sentence: RegExp,
  env: Record<string, string> = {},
): Promise<void> {
  for (const shell of ['bash', 'zsh']) {
    const { stdout, stderr, status } = await where.shell(
      shell,
      'GATEWAY_ENTRY=old; . ./deploy.sh; printf "<%s alive %s>" $? "${GATEWAY_ENTRY-unset}"',
      env,
    )
    expect(stdout).toMatch(/<1 alive unset>$/)
    expect(stderr.trim().split('\n').at(-1)).toMatch(sentence)
    expect(status).toBe(0)
  }
}

/** Programs of this machine, but for some, in one directory. */
function programsWithout(where: Place, ...missing: string[]): string {
  const bin = path.join(where.directory, '..', 'few')
  mkdirSync(bin)
  for (const directory of ['/usr/bin', '/bin'])
    for (const name of readdirSync(directory))
      if (!missing.includes(name)) {
        try {
          symlinkSync(path.join(directory, name), path.join(bin, name))
        } catch {
          // The one of the directory before.
        }
      }
  return bin
}

test('without Docker', async () => {
  const where = await place()
  await expectSentence(where, /^deploy\.sh: Docker is not installed: install .* and run this again\.$/, {
    PATH: programsWithout(where, 'docker'),
  })
})

test('with a stopped daemon', async () => {
  const where = await place()
  where.fault('daemon', 'Cannot connect to the Docker daemon at unix:///var/run/docker.sock.')
  await expectSentence(
    where,
    /^deploy\.sh: The Docker daemon does not answer: start it .* and run this again\.$/,
  )
})

test('with a daemon that hangs', async () => {
  const where = await place()
  const docker = path.join(where.directory, '..', 'bin', 'docker')
  writeFileSync(docker, '#!/bin/sh\nexec sleep 1000\n')
  const script = where.read('deploy.sh').replace('DAEMON_SECONDS=20', 'DAEMON_SECONDS=1')
  writeFileSync(path.join(where.directory, 'deploy.sh'), script)
  await expectSentence(where, /^deploy\.sh: The Docker daemon does not answer: /)
})

test('without the right to use Docker', async () => {
  const where = await place()
  where.fault('daemon', 'permission denied while trying to connect to the Docker daemon socket')
  await expectSentence(where, /^deploy\.sh: The Docker daemon refuses this user: add it to the group docker /)
})

test('with an old engine', async () => {
  const where = await place()
  where.answer('version', '1.39 18.09.1')
  await expectSentence(where, /^deploy\.sh: Docker Engine 18\.09\.1 is too old: install 20\.10 or later /)
})

test('without Compose', async () => {
  const where = await place()
  where.fault('compose', "docker: 'compose' is not a docker command.")
  await expectSentence(
    where,
    /^deploy\.sh: Docker Compose is not installed: install .* and run this again\.$/,
  )
})

test.each(['1.29.2', 'v2.2.3', '2.19.9'])('with Compose %s', async (version) => {
  const where = await place()
  where.answer('compose', version)
  await expectSentence(where, /^deploy\.sh: Docker Compose [\d.]+ is too old: install 2\.20\.0 or later /)
})

test.each(['2.20.0', 'v2.40.3-desktop.1', '5.5.0', '10.0.0'])('Compose %s will do', async (version) => {
  const where = await place()
  where.answer('compose', version)
  expect((await where.deploy()).status).toBe(0)
})

test('with the port taken by a program', async () => {
  const where = await place()
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  await expectSentence(
    where,
    new RegExp(
      `^deploy\\.sh: Port ${port} is taken: free it, or choose another \\(export GATEWAY_PORT=${port + 1}\\) `,
    ),
    { GATEWAY_PORT: String(port) },
  )
  expect(where.calls().filter((call) => call.startsWith('compose up'))).toEqual([])
})

test('with the port taken by another container, and by one that is faster', async () => {
  const where = await place()
  where.answer('holder', 'shop-gateway-1')
  await expectSentence(where, /Port 8080 is taken by the container shop-gateway-1: free it/, {
    GATEWAY_PORT: '8080',
  })
  where.answer('holder', '')
  where.fault(
    'up',
    'Error response from daemon: driver failed: Bind for 127.0.0.1:1 failed: port is already allocated',
  )
  await expectSentence(where, /Port 1 is taken: free it/, { GATEWAY_PORT: '1' })
})

test('the port that its own gateway has is not taken', async () => {
  const where = await place()
  const env = { GATEWAY_PORT: where.entry.split(':')[1] ?? '' }
  expect((await where.deploy()).status).toBe(0)
  const again = await where.shell('bash', './deploy.sh', env)
  expect(again.stderr).toBe('')
  expect(again.status).toBe(0)
})

test('with too little disk space', async () => {
  const where = await place()
  where.answer('root', '/tmp')
  const df = path.join(where.directory, '..', 'bin', 'df')
  writeFileSync(df, '#!/bin/sh\necho Filesystem\necho /dev/x 9999999 9900000 20480 99% /tmp\n')
  chmodSync(df, 0o755)
  await expectSentence(
    where,
    /too little disk space for the platform's volumes: \/tmp has 20 MiB left and \d+ MiB are needed; free some /,
  )
})

test('with a disk that fills up while a database is made', async () => {
  const where = await place()
  where.fault('unhealthy-home-db', '')
  where.answer('logs', 'initdb: error: could not write: No space left on device')
  await expectSentence(
    where,
    /^deploy\.sh: There is no disk space left for the volume of home-db: free some /,
  )
})

test('with a build that fails: the end of what it said', async () => {
  const where = await place()
  where.fault('build', 'Step 3/9 : RUN npm ci\nnpm error code E404')
  const { stderr, status } = await where.deploy()
  expect(stderr).toMatch(/npm error code E404\n.*deploy\.sh: The images could not be built\.\n$/s)
  expect(status).toBe(1)
})

test('with a service that does not become healthy: its name and the end of its log', async () => {
  const where = await place()
  where.fault('unhealthy-home', '')
  where.answer('logs', 'the reason why')
  const { stderr, status } = await where.deploy()
  expect(stderr).toBe(
    'home is unhealthy. The end of its log (./deploy.sh logs home):\n    the reason why\ndeploy.sh: The platform did not become healthy.\n',
  )
  expect(status).toBe(1)
})

test('with a compose.yaml that Compose refuses', async () => {
  const where = await place()
  where.fault('config', 'services.home additional properties not allowed')
  await expectSentence(
    where,
    /does not accept compose\.yaml: services\.home additional properties not allowed$/,
  )
})

test('with a new version of a service that does not work: the old one stays', async () => {
  const where = await place()
  expect((await where.deploy()).status).toBe(0)
  writeFileSync(path.join(where.directory, 'home/Dockerfile'), 'FROM other')
  where.fault('unhealthy-home', '')
  where.calls()
  const { stderr, status } = await where.deploy()
  expect(status).toBe(1)
  expect(stderr).toMatch(
    /home is unhealthy.*home could not be replaced\.\ndeploy\.sh: What ran before still runs: /s,
  )
  expect(where.calls().filter((call) => call.startsWith('stop'))).toEqual([])
  expect(execFileSync('ls', [path.join(where.fake, 'containers')]).toString()).toMatch(/^home-id\d+$/m)
  rmSync(path.join(where.fake, 'faults/unhealthy-home'))
  expect((await where.deploy()).stdout).toContain('Replacing home\n')
})
