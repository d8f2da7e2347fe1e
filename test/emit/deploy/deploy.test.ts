import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { emitDeployScript } from '../../../src/emit/deploy/deploy-script.ts'
import { platformOf } from '../platform.ts'
import { type Deployment, deployment, ENTRY, WITH_USERS } from './fixture.ts'
import { sourcedIn } from './sourced.ts'

sourcedIn('bash')

test.each(['bash', 'sh'])('%s runs it as a program', async (shell) => {
  const { stdout, stderr, status } = await deployment().shell('bash', `${shell} deploy.sh`)
  expect({ stdout, status }).toEqual({ stdout: `GATEWAY_ENTRY=${ENTRY}\n`, status: 0 })
  expect(stderr).toContain(`Demo is running at http://${ENTRY}\n`)
})

test('it has at most 400 lines', () => {
  expect(deployment().read('deploy.sh').split('\n').length).toBeLessThanOrEqual(401)
})

test('it builds one image in each language before the others, starts, and waits for responses', async () => {
  const { deploy, calls } = deployment(WITH_USERS.replace('HomeOwner: service {', '$& #language(go);'))
  await deploy()
  expect(calls().filter((call) => /^compose (?:build|up|exec)/.test(call.split('\n')[0] ?? ''))).toEqual([
    'compose build auth home-owner',
    'compose build',
    'compose up --detach --no-build auth.migrate user.migrate home-owner.migrate',
    'compose up --detach --wait --wait-timeout 600 --no-build --no-deps --remove-orphans gateway home home-db',
    'compose exec -T gateway bash /etc/envoy/start.sh reload',
    'compose exec -T gateway bash /etc/envoy/start.sh await 10000 /api/auth/login /api/user /api/home-owner',
  ])
})

test('help names every command, without Docker', async () => {
  const { deploy, fault, calls } = deployment()
  fault('version', 'no')
  for (const help of ['help', '--help', '-h']) {
    const { stdout, status } = await deploy(help)
    expect(status).toBe(0)
    for (const word of ['status', 'logs', 'scale', 'migrate', 'rotate', 'stop', 'destroy', 'GATEWAY_PORT'])
      expect(stdout).toContain(word)
  }
  expect(calls()).toEqual([])
})

test.each(['dockerCompose', 'kube'])(
  'help names no credentials in a platform without users: %s',
  (provider) => {
    const platform = platformOf(`P: project { #provider(${provider}); }\nHome: service { name: string; }`)
    const [script] = emitDeployScript(platform)
    expect(script?.content).toContain('#   ./deploy.sh migrate')
    expect(script?.content).not.toContain('#   ./deploy.sh rotate')
  },
)

test.each([
  ['stauts'],
  ['stop', 'home'],
  ['up', '--build'],
  ['rotate', 'now'],
  ['destroy', 'all'],
  ['write', 'x'],
])('unknown: %s %s', async (...args) => {
  const { deploy, calls } = deployment()
  const { stderr, status } = await deploy(...args)
  expect(stderr).toMatch(
    new RegExp(`^deploy\\.sh: Unknown command ${args.join(' ')} ?\\. See \\./deploy\\.sh help\n$`),
  )
  expect([status, calls()]).toEqual([1, []])
})

/** Programs of this machine without Docker, in one directory. */
function withoutDocker({ directory }: Deployment): string {
  const bin = path.join(directory, '../few')
  mkdirSync(bin)
  for (const name of readdirSync('/usr/bin'))
    if (name !== 'docker') symlinkSync(path.join('/usr/bin', name), path.join(bin, name))
  return bin
}

test('without Docker', async () => {
  const project = deployment()
  const { stderr, status } = await project.shell('bash', './deploy.sh', { PATH: withoutDocker(project) })
  expect({ stderr, status }).toEqual({
    stderr: 'deploy.sh: Docker is not installed: https://docs.docker.com/engine/install/\n',
    status: 1,
  })
})

test.each([
  ['version', '24.0.9', 'Docker Engine 25 or later is required; this is 24.0.9'],
  ['version', '20.10.24+dfsg1', 'Docker Engine 25 or later is required; this is 20.10.24+dfsg1'],
  ['compose-version', 'v2.23.3', 'Docker Compose 2.24 or later is required; this is v2.23.3'],
  ['compose-version', '1.29.2', 'Docker Compose 2.24 or later is required; this is 1.29.2'],
])('with %s %s', async (command, version, message) => {
  const { deploy, answer, calls } = deployment()
  answer(command, `${version}\n`)
  const { stderr, status } = await deploy()
  expect({ stderr, status }).toEqual({ stderr: `deploy.sh: ${message}\n`, status: 1 })
  expect(calls().filter((call) => call.startsWith('compose build'))).toEqual([])
})

test.each([
  ['version', '25.0.0'],
  ['version', '100.0'],
  ['compose-version', 'v2.24.0'],
  ['compose-version', '2.40.3-desktop.1'],
  ['compose-version', '5.5.0'],
])('%s %s is recent enough', async (command, version) => {
  const { deploy, answer } = deployment()
  answer(command, `${version}\n`)
  expect((await deploy()).status).toBe(0)
})

test.each([
  ['version', 'permission denied', 'deploy.sh: Docker does not respond: permission denied\n'],
  [
    'compose-version',
    'unknown',
    'deploy.sh: Docker Compose is not installed: https://docs.docker.com/compose/install/\n',
  ],
  [
    'compose-config',
    'services.home is wrong',
    'services.home is wrongdeploy.sh: Compose does not accept the configuration\n',
  ],
  ['compose-build', 'npm error', 'npm errordeploy.sh: Could not build the images\n'],
])('if docker %s fails', async (command, text, message) => {
  const { deploy, fault } = deployment()
  fault(command, text)
  const { stderr, status } = await deploy()
  expect(stderr.endsWith(message), stderr).toBe(true)
  expect(status).toBe(1)
})

test('if the gateway rejects a variable, what runs stays as it is', async () => {
  const { deploy, calls, fault } = deployment()
  fault('compose-run', 'gateway: CORS_ORIGINS must list origins\n')
  const { stderr, stdout, status } = await deploy()
  expect([stdout, status]).toEqual(['', 1])
  expect(stderr).toMatch(
    /^gateway: CORS_ORIGINS must list origins\ndeploy\.sh: The gateway cannot use its variables\. .*\n$/m,
  )
  expect(calls().filter((call) => call.startsWith('compose up'))).toEqual([])
})

test('a version that has failed does not keep the next one from starting', async () => {
  const { deploy, calls, script } = deployment()
  // Compose would wait for the previous container, too, which never becomes healthy.
  script(
    'compose-up',
    'case $* in *--wait*--scale*) exit 1 ;; *--scale*) touch "$FAKE/new" ;; esac; touch "$FAKE/up"; exit',
  )
  script('compose-ps', 'echo old; if [ -e "$FAKE/new" ]; then echo new; fi; exit')
  script(
    'inspect',
    'case $* in *config-hash*) echo user hash1 image1 demo/user ;; *old) echo unhealthy 3 ;; *) echo healthy 0 ;; esac; exit',
  )
  const { status, stderr } = await deploy()
  expect(status, stderr).toBe(0)
  expect(calls().filter((call) => /^(?:stop|rm) /.test(call))).toEqual(['stop old', 'rm old'])
})

test('if a service does not start, the end of its log is shown', async () => {
  const { deploy, fault, answer } = deployment()
  fault('compose-up', '')
  answer(
    'compose-ps',
    'home running healthy 0\nuser running unhealthy 0\nhome.migrate exited  1\nuser.migrate exited  0\n',
  )
  answer('compose-logs', 'the reason\n')
  const { stderr, status } = await deploy()
  expect(stderr).toMatch(
    /log of home\.migrate \(.*\):\nthe reason\nLast lines of the log of user \(.*\):\nthe reason\ndeploy\.sh: Could not migrate the databases of Demo\. What was running is still running\n$/,
  )
  expect(status).toBe(1)
})

test('a path with a colon, which Docker cannot mount, is explained', async () => {
  const { deploy, calls } = deployment(undefined, 'with:colon')
  const { stderr, status } = await deploy()
  expect(stderr).toMatch(
    /^deploy\.sh: Docker cannot mount directories whose path has a colon: .*with:colon\. /,
  )
  expect([status, calls()]).toEqual([1, []])
})

test('scale sets the number in .env, and keeps everything else there', async () => {
  const { deploy, read, write, calls } = deployment()
  write('.env', 'GATEWAY_PORT=1\nHOME_OWNER_REPLICAS=9\n')
  expect((await deploy('scale', 'home-owner', '3')).stderr).toBe('HOME_OWNER_REPLICAS=3 is set in .env\n')
  expect(read('.env')).toBe('GATEWAY_PORT=1\nHOME_OWNER_REPLICAS=3\n')
  expect(calls().filter((call) => call.startsWith('compose up'))).toEqual([])
  await deploy()
  await deploy('scale', 'home-owner', '2')
  expect(
    calls()
      .filter((call) => call.startsWith('compose up'))
      .at(-1),
  ).toBe('compose up --detach --wait --no-build --no-deps --no-recreate home-owner')
})

test('scale keeps what is in .env from others, also when it is killed', async () => {
  const project = deployment()
  const { directory, deploy, write, read } = project
  const outside = () =>
    readdirSync(directory, { recursive: true })
      .map(String)
      .filter((name) => !name.startsWith('.secrets'))
      .sort()
  write('../settings', 'TOKEN=secret\n')
  chmodSync(path.join(directory, '../settings'), 0o640)
  symlinkSync('../settings', path.join(directory, '.env'))
  const before = outside()
  write('../bin/mv', '#!/bin/sh\nkill -KILL $PPID\n')
  chmodSync(path.join(directory, '../bin/mv'), 0o755)
  expect((await deploy('scale', 'user', '2')).status).toBe('SIGKILL')
  expect([read('.env'), outside()]).toEqual(['TOKEN=secret\n', before])
  expect(read('.secrets/env.new')).toContain('TOKEN=secret\n')
  expect(statSync(path.join(directory, '.secrets')).mode & 0o777).toBe(0o700)
  rmSync(path.join(directory, '../bin/mv'))
  expect((await deploy('scale', 'user', '3')).status).toBe(0)
  expect(read('../settings')).toBe('TOKEN=secret\nUSER_REPLICAS=3\n')
  expect(statSync(path.join(directory, '../settings')).mode & 0o777).toBe(0o640)
  expect(readdirSync(path.join(directory, '.secrets'))).toEqual(['.gitignore'])
})

test('a new .env is for its owner only', async () => {
  const { directory, deploy } = deployment()
  await deploy('scale', 'user', '2')
  expect(statSync(path.join(directory, '.env')).mode & 0o777).toBe(0o600)
})

test.each([
  [[], 'Unknown service . Available: auth user home-owner'],
  [['hme', '2'], 'Unknown service hme. Available: auth user home-owner'],
  [['user'], 'The number of containers must be from 1 to 999, not '],
  [['user', '0'], 'The number of containers must be from 1 to 999, not 0'],
  [['user', '1000'], 'The number of containers must be from 1 to 999, not 1000'],
])('scale %j is rejected', async (args, message) => {
  const { stderr, status } = await deployment().deploy('scale', ...args)
  expect({ stderr, status }).toEqual({ stderr: `deploy.sh: ${message}\n`, status: 1 })
})

test('migrate runs the migrations of every database', async () => {
  const { deploy, calls } = deployment()
  await deploy('migrate')
  expect(calls().filter((call) => call.includes(' run '))).toEqual(
    ['auth', 'user', 'home-owner'].map((service) => `compose run --rm --no-TTY ${service}.migrate --all`),
  )
})

test('logs passes its arguments on', async () => {
  const { deploy, calls } = deployment()
  await deploy('logs', '--tail', '5', 'user')
  expect(calls().at(-1)).toBe('compose logs --tail 5 user')
})

test('destroy asks, and needs --yes without a terminal', async () => {
  const { deploy, calls } = deployment()
  await deploy()
  const { stderr, status } = await deploy('destroy')
  expect(stderr).toContain('use ./deploy.sh destroy --yes')
  expect(status).toBe(1)
  expect(calls().filter((call) => call.includes(' down '))).toEqual([])
})

test('destroy deletes only what deploy.sh has made', async () => {
  const { deploy, directory, write, read } = deployment()
  await deploy()
  write('.secrets/mine.txt', 'mine')
  write('.secrets/user/tls.key', 'mine')
  write('.secrets/other/key', 'mine')
  expect((await deploy('destroy', '--yes')).status).toBe(0)
  const left = readdirSync(path.join(directory, '.secrets'), { recursive: true }).map(String)
  expect(left.sort()).toEqual(['mine.txt', 'other', 'other/key', 'user', 'user/tls.key'])
  expect(read('.secrets/user/tls.key')).toBe('mine')
})

test('destroy leaves nothing of its own', async () => {
  const { deploy, directory } = deployment()
  await deploy()
  await deploy('destroy', '--yes')
  for (const name of ['.secrets', '.deploy']) expect(existsSync(path.join(directory, name)), name).toBe(false)
})

/** Lets `docker compose build` wait until a file appears. */
function holdBuild(project: Deployment): () => void {
  const gate = path.join(project.directory, '../gate')
  project.script('compose-build', `touch '${gate}.reached'; until [ -e '${gate}' ]; do sleep 0.05; done`)
  return () => writeFileSync(gate, '')
}

const building = ({ directory }: Deployment): Promise<void> =>
  expect.poll(() => existsSync(path.join(directory, '../gate.reached')), { timeout: 20_000 }).toBe(true)

test('one run waits for another, while help and status change nothing', async () => {
  const project = deployment()
  const release = holdBuild(project)
  const first = project.deploy()
  await building(project)
  const secrets = () =>
    readdirSync(path.join(project.directory, '.secrets'), { recursive: true }).map(String).sort()
  const before = secrets()
  expect((await project.deploy('help')).status).toBe(0)
  expect((await project.deploy('status')).status).toBe(0)
  expect(secrets()).toEqual(before)
  const second = project.deploy()
  const third = project.deploy('rotate')
  setTimeout(release, 500)
  for (const run of await Promise.all([first, second, third])) expect(run.status, run.stderr).toBe(0)
  expect((await second).stderr).toContain('Waiting for another run of deploy.sh\n')
})

test('a killed run leaves no lock', async () => {
  const project = deployment()
  const release = holdBuild(project)
  const killed = project.shell(
    'bash',
    './deploy.sh & pid=$!; until [ -e ../gate.reached ]; do sleep 0.1; done; kill -KILL $pid; wait $pid',
  )
  await building(project)
  // Docker goes on for a while, and holds the lock for so long.
  setTimeout(release, 2000)
  expect((await killed).status).toBe(137)
  const { status, stderr } = await project.deploy()
  expect(status, stderr).toBe(0)
})
