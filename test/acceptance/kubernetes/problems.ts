import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { outcomeOf } from '../containers/docker.ts'
import { CLUSTER_ENV, kubectl, type KubernetesDeployment } from './cluster.ts'

/** Runs `deploy.sh`, which has to fail, and returns what it said. */
async function failure(
  { directory }: KubernetesDeployment,
  env: Readonly<Record<string, string>> = {},
  ...args: readonly string[]
): Promise<string> {
  const all = { ...CLUSTER_ENV, AUTH_RATE_LIMIT: '0', ...env }
  const { status, stdout, stderr } = await outcomeOf('./deploy.sh', args, { cwd: directory, env: all })
  expect({ status, stdout }, stderr).toEqual({ status: 1, stdout: '' })
  return stderr
}

/** Changes a file of the project, deploys, which has to fail, and restores it. */
async function failureWith(
  deployment: KubernetesDeployment,
  file: string,
  change: (text: string) => string,
): Promise<string> {
  const place = path.join(deployment.directory, file)
  const text = await readFile(place, 'utf8')
  const changed = change(text)
  expect(changed).not.toBe(text)
  await writeFile(place, changed)
  try {
    return await failure(deployment)
  } finally {
    await writeFile(place, text)
  }
}

/** Expects that a volume that no storage class provides is named, after the 90 seconds that `deploy.sh` waits. */
export async function expectVolumeNamed(deployment: KubernetesDeployment, service: string): Promise<void> {
  // The claim of a database that runs cannot be changed.
  await deployment.kubectl('delete', 'statefulset', `${service}-db`, '--cascade=orphan')
  await deployment.kubectl('delete', 'pod', `${service}-db-0`)
  await deployment.kubectl('delete', 'persistentvolumeclaim', `data-${service}-db-0`)
  const said = await failureWith(deployment, `kube/base/${service}-db.yaml`, (text) =>
    text.replace('accessModes:', 'storageClassName: nowhere\n        accessModes:'),
  )
  expect(said).toMatch(
    new RegExp(`deploy\\.sh: Could not start \\w+: the pod ${service}-db-0 has Unschedulable\n$`),
  )
  expect(said).toContain('"nowhere" not found')
}

/** What `deploy.sh` says when something goes wrong, while what ran before goes on running. */
export function problems(small: () => KubernetesDeployment): void {
  async function expectRunning(): Promise<void> {
    const { status } = await fetch(
      `http://${small().gateway}/api/owner/${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`,
    )
    expect(status).toBe(401)
  }

  async function redeploy(): Promise<void> {
    const { status, stderr } = await small().script()
    expect(status, stderr).toBe(0)
  }

  test('settings are checked before they reach a service, which reads them after the next deployment', async () => {
    const settings = path.join(small().directory, 'home/.env')
    await writeFile(settings, 'LOG_LEVEL=loud\n')
    const said = await failure(small())
    expect(said).toMatch(
      /deploy\.sh: Could not migrate the databases of KubeSmall, .*: the pod home-migrate-\S+ has PodFailed\n$/,
    )
    expect(said).toContain('LOG_LEVEL must be debug, info, warn or error')
    await expectRunning()
    const level = () => small().kubectl('exec', 'deployment/home', '--', 'cat', '/run/settings/env')
    await writeFile(settings, 'LOG_LEVEL=debug\n')
    await redeploy()
    expect(await level()).toBe('LOG_LEVEL=debug')
    await rm(settings)
    await redeploy()
    await expect(level()).rejects.toThrow('No such file')
    const secrets = await small().kubectl('get', 'secrets', '-o', 'name')
    expect(secrets).not.toContain('home.env')
  })

  test('the URL of an external database reaches a service with the next deployment, as does its removal', async () => {
    const url = 'postgres://home@home-db:5432/home'
    const found = () => small().kubectl('exec', 'deployment/home', '--', 'printenv', 'DATABASE_URL')
    await small().kubectl('create', 'secret', 'generic', 'home-database', `--from-literal=url=${url}`)
    await redeploy()
    expect(await found()).toBe(url)
    await small().kubectl('delete', 'secret', 'home-database')
    await redeploy()
    await expect(found()).rejects.toThrow('exit code 1')
  })

  test('a service that cannot start is named with its own words, while the previous version serves', async () => {
    const said = await failureWith(small(), 'kube/base/home.yaml', (text) =>
      text.replace('          env:\n', '          env:\n            - {name: LOG_LEVEL, value: loud}\n'),
    )
    expect(said).toMatch(/deploy\.sh: Could not start KubeSmall: the pod home-\S+ has CrashLoopBackOff\n$/)
    expect(said).toContain('LOG_LEVEL must be debug, info, warn or error')
    expect(said).toMatch(/Back-off restarting failed container/)
    await expectRunning()
    // A secret that leaked cannot wait until the service is repaired.
    for (const args of [['rotate'], ['rotate', '--finish']])
      expect(await small().script(...args)).toMatchObject({ status: 0 })
    await redeploy()
  })

  test('an image that cannot be pulled is named', async () => {
    const said = await failureWith(small(), 'kube/base/home.yaml', (text) =>
      text.replace('image: kube-small/home', 'image: registry.invalid/home'),
    )
    expect(said).toMatch(
      /deploy\.sh: Could not start KubeSmall: the pod home-\S+ has (?:ErrImagePull|ImagePullBackOff)\n$/,
    )
    expect(said).toMatch(/Failed to pull image "registry\.invalid\/home/)
    await expectRunning()
    await redeploy()
  })

  test('a migration that could not start is not waited for by later deployments', async () => {
    const said = await failureWith(small(), 'kube/migrate/home.yaml', (text) =>
      text
        .replace(/name: home-migrate-\w+/, 'name: home-migrate-earlier')
        .replace('image: kube-small/home', 'image: registry.invalid/home'),
    )
    expect(said).toMatch(/Could not migrate .* the pod home-migrate-earlier-\S+ has /)
    await redeploy()
    expect(await small().kubectl('get', 'jobs', '-o', 'name')).not.toContain('earlier')
  })

  test('a quota that is exhausted is named', async () => {
    await small().kubectl('create', 'quota', 'tight', '--hard=pods=1')
    const said = await failure(small(), {}, 'scale', 'home', '3')
    expect(said).toMatch(/deploy\.sh: Could not start KubeSmall: pods "home-.*exceeded quota: tight/)
    expect((await small().script('scale', 'home', '1')).status).toBe(0)
    // No Job can make its pod.
    await small().kubectl('delete', 'jobs', '--all')
    const migrating = await failure(small())
    expect(migrating).toMatch(/Could not migrate .* the Job home-migrate-\S+ has no pod\. /)
    expect(migrating).toContain('exceeded quota: tight')
    await small().kubectl('delete', 'quota', 'tight')
    await redeploy()
  }, 600_000)

  test('what keeps a deployment from beginning is said in a sentence', async () => {
    expect(await failure(small(), { KUBE_CONTEXT: 'nowhere' })).toBe(
      'deploy.sh: The cluster of the context nowhere does not respond: error: context "nowhere" does not exist\n',
    )
    expect(await failure(small(), { OVERLAY: 'nowhere' })).toBe(
      'deploy.sh: Unknown overlay nowhere. Available: local production\n',
    )
    expect(await failure(small(), { KUBECONFIG: '/dev/null' })).toContain('kubectl has no current context')
    expect(
      await failure(small(), { KUBECONFIG: await configWith({ server: 'https://127.0.0.1:1' }) }),
    ).toMatch(/^deploy\.sh: The cluster of the context kube does not respond: .*refused.*\n$/)
    await small().kubectl('create', 'serviceaccount', 'visitor')
    const token = await small().kubectl('create', 'token', 'visitor')
    expect(await failure(small(), { KUBECONFIG: await configWith({ token }) })).toBe(
      `deploy.sh: The context kube is not permitted to create deployments.apps in the namespace ${small().namespace}\n`,
    )
  })

  /** Writes the configuration of kubectl with another server or another user. */
  async function configWith({ server, token }: { server?: string; token?: string }): Promise<string> {
    const { stdout } = await kubectl(['config', 'view', '--raw', '--output', 'json'])
    const config = JSON.parse(stdout) as {
      clusters: { cluster: { server: string } }[]
      users: { user: { token: string } }[]
    }
    for (const { cluster } of config.clusters) cluster.server = server ?? cluster.server
    for (const { user } of config.users) user.token = token ?? user.token
    const file = path.join(small().directory, 'kubeconfig.json')
    await writeFile(file, JSON.stringify(config), { mode: 0o600 })
    return file
  }
}
