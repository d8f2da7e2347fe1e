import { expect, test } from 'vitest'
import { type Deployment, deployment, killedAtWrite } from './fixture.ts'

interface Credential {
  readonly id: string
  readonly secret: string
  readonly expires?: number
}

const credentialsOf = (project: Deployment, service: string): readonly Credential[] =>
  (JSON.parse(project.read(`.secrets/${service}/gateway-credentials`)) as { credentials: Credential[] })
    .credentials

/** The keys that the gateway accepts for auth-service-1 and auth-service-2. */
const gatewayKeys = (project: Deployment): string[] =>
  [...project.read('.secrets/gateway/tokens.json').matchAll(/\\"k\\":\\"([\w-]+)\\"/g)].map(
    ([, key]) => key ?? '',
  )

async function running(): Promise<Deployment> {
  const project = deployment()
  expect((await project.deploy()).status).toBe(0)
  return project
}

test('the new credential is known to all before it signs, and the old one expires', async () => {
  const project = await running()
  const [old] = credentialsOf(project, 'auth')
  expect(gatewayKeys(project)).toEqual([old?.secret, old?.secret])
  // What is there between the two writes.
  const script = project.read('deploy.sh').replace('sleep 0.1', 'cp -r .secrets between')
  project.write('deploy.sh', script)
  const begun = Math.floor(Date.now() / 1000)
  const { status, stderr } = await project.deploy('rotate')
  expect(status, stderr).toBe(0)

  const between = project.read('between/auth/gateway-credentials')
  const [current, previous] = credentialsOf(project, 'auth')
  expect(JSON.parse(between)).toEqual({
    credentials: [old, { id: 'auth-service-2', secret: current?.secret }],
  })
  expect(project.read('between/user/gateway-credentials')).toBe(between)
  expect(project.read('between/gateway/tokens.json')).toBe(project.read('.secrets/gateway/tokens.json'))

  expect(previous).toMatchObject({ id: 'auth-service-1', secret: old?.secret })
  expect((previous?.expires ?? 0) - begun).toBeGreaterThanOrEqual(86_400)
  expect((previous?.expires ?? 0) - begun).toBeLessThan(86_500)
  expect(credentialsOf(project, 'user')).toEqual([current, previous])
  expect(gatewayKeys(project)).toEqual([old?.secret, current?.secret])
  // Nothing was restarted.
  expect(project.calls().filter((call) => /compose (?:up|restart)/.test(call))).toHaveLength(2)
})

test('a second rotation waits for the end of the first, or for --finish', async () => {
  const project = await running()
  await project.deploy('rotate')
  const [current] = credentialsOf(project, 'auth')
  const again = await project.deploy('rotate')
  expect(again.stderr).toMatch(/The credential was rotated less than 24 hours ago\. .*--finish first\.\n$/)
  expect(again.status).toBe(1)
  expect((await project.deploy('rotate', '--finish')).status).toBe(0)
  expect(credentialsOf(project, 'user')).toEqual([current])
  expect(gatewayKeys(project)).toEqual([current?.secret, current?.secret])
  expect((await project.deploy('rotate')).status).toBe(0)
  expect(credentialsOf(project, 'user').map(({ id }) => id)).toEqual(['auth-service-1', 'auth-service-2'])
})

test('an expired credential is dropped by the next run', async () => {
  const project = await running()
  await project.deploy('rotate')
  const [current] = credentialsOf(project, 'auth')
  project.write('.secrets/credentials', project.read('.secrets/credentials').replace(/ \d+$/m, ' 1000'))
  expect((await project.deploy()).status).toBe(0)
  expect(credentialsOf(project, 'user')).toEqual([current])
  expect(gatewayKeys(project)).toEqual([current?.secret, current?.secret])
  expect((await project.deploy('rotate')).status).toBe(0)
})

/** A rotation first writes again what readers have. */
const UNCHANGED = 4

// Each write of a rotation of three services: the credentials, four files of readers, and the same once more.
test.each([1, 2, 3, 5, 6, 7, 8, 10])('interrupted at its write %i, it can be completed', async (step) => {
  const project = await running()
  const before = credentialsOf(project, 'auth')
  expect((await killedAtWrite(project, step + UNCHANGED, 'rotate')).status).toBe('SIGKILL')
  const { status, stderr } = await project.deploy('rotate')
  // After the sixth write, the rotation was already decided.
  if (step <= 6) expect(status, stderr).toBe(0)
  else expect(stderr).toContain('rotated less than 24 hours ago')
  const [current, previous] = credentialsOf(project, 'auth')
  expect(previous).toMatchObject({ id: 'auth-service-1', secret: before[0]?.secret })
  expect(previous?.expires).toBeTypeOf('number')
  for (const service of ['user', 'home-owner'])
    expect(credentialsOf(project, service)).toEqual([current, previous])
  expect(gatewayKeys(project)).toEqual([before[0]?.secret, current?.secret])
  expect((await project.deploy('rotate', '--finish')).status).toBe(0)
  expect((await project.deploy('rotate')).status).toBe(0)
})
