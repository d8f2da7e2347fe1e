import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { outcomeOf } from '../containers/docker.ts'
import { CLUSTER_ENV, kubectl, type KubernetesDeployment } from './cluster.ts'

/** What `deploy.sh` says when something goes wrong, while what ran before goes on running. */
export function problems(small: () => KubernetesDeployment): void {
  /** Runs `deploy.sh`, which has to fail, and returns what it said. */
  async function failure(
    env: Readonly<Record<string, string>> = {},
    ...args: readonly string[]
  ): Promise<string> {
    const all = { ...CLUSTER_ENV, AUTH_RATE_LIMIT: '0', ...env }
    const { status, stdout, stderr } = await outcomeOf('./deploy.sh', args, {
      cwd: small().directory,
      env: all,
    })
    expect({ status, stdout }, stderr).toEqual({ status: 1, stdout: '' })
    return stderr
  }

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

  /** Changes a file of the project, deploys, and restores it. */
  async function failureWith(file: string, change: (text: string) => string): Promise<string> {
    const place = path.join(small().directory, file)
    const text = await readFile(place, 'utf8')
    const changed = change(text)
    expect(changed).not.toBe(text)
    await writeFile(place, changed)
    try {
      return await failure()
    } finally {
      await writeFile(place, text)
    }
  }

  test('a service that cannot start is named with its own words, while the previous version serves', async () => {
    const settings = path.join(small().directory, 'home/.env')
    await writeFile(settings, 'LOG_LEVEL=loud\n')
    const said = await failure()
    expect(said).toMatch(/deploy\.sh: Could not start home: the pod home-\S+ has CrashLoopBackOff/)
    expect(said).toContain('LOG_LEVEL must be debug, info, warn or error')
    await expectRunning()
    await rm(settings)
    await redeploy()
  })

  test('an image that cannot be pulled is named', async () => {
    const said = await failureWith('kube/base/home.yaml', (text) =>
      text.replace('image: kube-small/home', 'image: registry.invalid/home'),
    )
    expect(said).toMatch(
      /deploy\.sh: Could not start home: the pod home-\S+ has (?:ErrImagePull|ImagePullBackOff)/,
    )
    expect(said).toMatch(/Failed to pull image "registry\.invalid\/home/)
    await expectRunning()
    await redeploy()
  })

  test('a quota that is exhausted is named', async () => {
    await small().kubectl('create', 'quota', 'tight', '--hard=pods=1')
    const said = await failure({}, 'scale', 'home', '3')
    expect(said).toMatch(/deploy\.sh: Could not start home: .*exceeded quota: tight/)
    await small().kubectl('delete', 'quota', 'tight')
    await redeploy()
    expect((await small().script('scale', 'home', '1')).status).toBe(0)
  })

  test('a volume that no storage class provides is named', async () => {
    // The claim of a database that runs cannot be changed.
    await small().kubectl('delete', 'statefulset', 'owner-db', '--cascade=orphan')
    await small().kubectl('delete', 'pod', 'owner-db-0')
    await small().kubectl('delete', 'persistentvolumeclaim', 'data-owner-db-0')
    const said = await failureWith('kube/base/owner-db.yaml', (text) =>
      text.replace('accessModes:', 'storageClassName: nowhere\n        accessModes:'),
    )
    expect(said).toContain('deploy.sh: Could not start owner-db: the pod owner-db-0 is pending')
    expect(said).toContain('"nowhere" not found')
  })

  test('what keeps a deployment from beginning is said in a sentence', async () => {
    expect(await failure({ KUBE_CONTEXT: 'nowhere' })).toBe(
      'deploy.sh: Unknown context nowhere. Set KUBE_CONTEXT to one of: kube\n',
    )
    expect(await failure({ OVERLAY: 'nowhere' })).toBe(
      'deploy.sh: Unknown overlay nowhere. Available: local production\n',
    )
    expect(await failure({ KUBECONFIG: '/dev/null' })).toContain('kubectl has no current context')
    expect(await failure({ KUBECONFIG: await configWith({ server: 'https://127.0.0.1:1' }) })).toMatch(
      /^deploy\.sh: The cluster of the context kube does not respond: .*refused.*\n$/,
    )
    await small().kubectl('create', 'serviceaccount', 'visitor')
    const token = await small().kubectl('create', 'token', 'visitor')
    expect(await failure({ KUBECONFIG: await configWith({ token }) })).toBe(
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
