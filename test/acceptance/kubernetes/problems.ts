import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ENV_FILE, ENV_VALUES, PRINT_SETTINGS } from '../../emit/deploy/env-file.ts'
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
  ...run: readonly [env?: Readonly<Record<string, string>>, ...args: readonly string[]]
): Promise<string> {
  const place = path.join(deployment.directory, file)
  const text = await readFile(place, 'utf8')
  const changed = change(text)
  expect(changed).not.toBe(text)
  await writeFile(place, changed)
  try {
    return await failure(deployment, ...run)
  } finally {
    await writeFile(place, text)
  }
}

/** Runs `deploy.sh` with shorter limits for what is not ready yet, which it has to reach. */
async function failureSoon(
  deployment: KubernetesDeployment,
  env: Readonly<Record<string, string>> = {},
  ...args: readonly string[]
): Promise<string> {
  // Pods are there by then, if they can be.
  const shorten = (text: string) =>
    text.replaceAll('-lt 90 ', '-lt 6 ').replaceAll(/(?<=-(?:lt|ge) )600 /g, '20 ')
  return failureWith(deployment, 'deploy.sh', shorten, env, ...args)
}

/** Expects that a volume that no storage class provides is named. */
export async function expectVolumeNamed(deployment: KubernetesDeployment, service: string): Promise<void> {
  // The claim of a database that runs cannot be changed.
  await deployment.kubectl('delete', 'statefulset', `${service}-db`, '--cascade=orphan')
  await deployment.kubectl('delete', 'pod', `${service}-db-0`)
  await deployment.kubectl('delete', 'persistentvolumeclaim', `data-${service}-db-0`)
  const base = path.join(deployment.directory, `kube/base/services/${service}-db.yaml`)
  const text = await readFile(base, 'utf8')
  await writeFile(base, text.replace('accessModes:', 'storageClassName: nowhere\n        accessModes:'))
  const said = await failureSoon(deployment)
  expect(said).toMatch(
    new RegExp(`deploy\\.sh: Could not start \\w+: the pod ${service}-db-0 has Unschedulable\n$`),
  )
  expect(said).toContain('"nowhere" not found')
}

/**
 * What `deploy.sh` says when something goes wrong, while what ran before goes on running. `definition` is what runs.
 * `rotate` replaces the credential under load.
 */
export function problems(
  small: () => KubernetesDeployment,
  definition: string,
  rotate: () => Promise<void>,
): void {
  async function expectRunning(): Promise<void> {
    const { status } = await fetch(
      `http://${small().gateway}/api/owner/${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`,
    )
    expect(status).toBe(401)
  }

  const inHome = (...command: readonly string[]) =>
    small().kubectl('exec', 'deployment/home', '--', ...command)

  async function redeploy(): Promise<string> {
    const { status, stdout, stderr } = await small().script()
    expect(status, stderr).toBe(0)
    return stdout
  }

  test('a quota that is exhausted is named, and Jobs that get no pod', async () => {
    await small().kubectl('create', 'quota', 'tight', '--hard=pods=1')
    const said = await failureSoon(small(), {}, 'scale', 'home', '3')
    expect(said).toMatch(/deploy\.sh: Could not start KubeSmall: pods are missing\n$/)
    expect(said).toMatch(/pods "home-.*exceeded quota: tight/)
    expect((await small().script('scale', 'home', '1')).status).toBe(0)
    await small().kubectl('delete', 'jobs', '--all')
    const migrating = await failureSoon(small())
    expect(migrating).toMatch(/Could not migrate .*: pods are missing\n$/)
    expect(migrating).toContain('exceeded quota: tight')
    await small().kubectl('delete', 'quota', 'tight')
  })

  test('a service that cannot start is named with its own words, while the previous version serves', async () => {
    const said = await failureWith(small(), 'kube/base/services/home.yaml', (text) =>
      text.replace('          env:\n', '          env:\n            - {name: LOG_LEVEL, value: loud}\n'),
    )
    expect(said).toMatch(/deploy\.sh: Could not start KubeSmall: the pod home-\S+ has CrashLoopBackOff\n$/)
    expect(said).toContain('LOG_LEVEL must be debug, info, warn or error')
    expect(said).toMatch(/Back-off restarting failed container/)
    await expectRunning()
  })

  // A secret that leaked cannot wait until the service is repaired.
  test('a credential is rotated without a failed request, while a pod cannot start', rotate)

  test('an image that cannot be pulled is named', async () => {
    const said = await failureWith(small(), 'kube/base/services/home.yaml', (text) =>
      text.replace('image: kube-small/home', 'image: registry.invalid/home'),
    )
    expect(said).toMatch(
      /deploy\.sh: Could not start KubeSmall: the pod home-\S+ has (?:ErrImagePull|ImagePullBackOff)\n$/,
    )
    expect(said).toMatch(/Failed to pull image "registry\.invalid\/home/)
    await expectRunning()
  })

  test('settings are checked by a migration before they reach a service', async () => {
    await writeFile(path.join(small().directory, 'home/.env'), 'LOG_LEVEL=loud\n')
    const said = await failureWith(small(), 'kube/migrate/services/home.yaml', (text) =>
      text.replace(/name: home-migrate-\w+/, 'name: home-migrate-earlier'),
    )
    expect(said).toMatch(
      /deploy\.sh: Could not migrate the databases of KubeSmall, .*: the pod home-migrate-earlier-\S+ has PodFailed\n$/,
    )
    expect(said).toContain('LOG_LEVEL must be debug, info, warn or error')
    await expectRunning()
  })

  test('the next deployment repairs it, does not wait for the failed migration, and renames a service', async () => {
    const { directory } = small()
    const url = 'postgres://home@home-db:5432/home'
    await small().kubectl('create', 'secret', 'generic', 'home-database', `--from-literal=url=${url}`)
    await writeFile(path.join(directory, 'home/.env'), `${ENV_FILE}\r\nLOG_LEVEL=debug\r\n`)
    const database = await small().kubectl('get', 'pod', 'owner-db-0', '-o', 'jsonpath={.metadata.uid}')
    await small().regenerate(
      definition
        .replace('Owner: service {', 'Keeper: service { #was(Owner);')
        .replace('owner: Owner;', 'owner: Keeper;'),
    )
    await redeploy()
    expect(await small().kubectl('get', 'jobs', '-o', 'name')).not.toContain('earlier')
    expect(JSON.parse(await inHome(...PRINT_SETTINGS))).toEqual({ ...ENV_VALUES, LOG_LEVEL: 'debug' })
    expect(await inHome('printenv', 'DATABASE_URL')).toBe(url)
    const workloads = await small().kubectl('get', 'deployments,statefulsets', '-o', 'name')
    expect(workloads.split('\n').map((name) => name.split('/')[1])).toEqual([
      'auth',
      'gateway',
      'home',
      'keeper',
      'auth-db',
      'home-db',
      'owner-db',
    ])
    expect(await small().kubectl('get', 'pod', 'owner-db-0', '-o', 'jsonpath={.metadata.uid}')).toBe(database)
    const rows =
      'export PGPASSWORD=$(cat /run/secrets/database-password); psql -h 127.0.0.1 -U owner -Atc "SELECT name FROM keeper ORDER BY id LIMIT 1"'
    expect(await small().kubectl('exec', 'owner-db-0', '--', 'bash', '-c', rows)).toBe('Ada')
  })

  test('what is removed from the settings is removed from the cluster, and an Ingress can lead to a ClusterIP', async () => {
    const { directory, namespace } = small()
    const local = path.join(directory, 'kube/overlays/local/kustomization.yaml')
    await writeFile(local, (await readFile(local, 'utf8')).replace('NodePort', 'ClusterIP'))
    await writeFile(path.join(directory, '.env'), 'TRUSTED_PROXIES="1"\n')
    await rm(path.join(directory, 'home/.env'))
    expect(await failure(small())).toMatch(
      /deploy\.sh: Missing home\/\.env, whose settings are in the cluster\. .*\n$/,
    )
    await writeFile(path.join(directory, 'home/.env'), '')
    await small().kubectl('delete', 'secret', 'home-database')
    expect(await redeploy()).toBe(`GATEWAY_ENTRY=gateway.${namespace}.svc:80\n`)
    for (const name of ['gateway', 'auth'])
      expect(await small().kubectl('exec', `deployment/${name}`, '--', 'printenv', 'TRUSTED_PROXIES')).toBe(
        '1',
      )
    await expect(inHome('cat', '/run/secrets/env')).rejects.toThrow('No such file')
    await expect(inHome('printenv', 'DATABASE_URL')).rejects.toThrow('exit code 1')
    expect(await small().kubectl('get', 'secrets', '-o', 'name')).not.toContain('home.env')
  })

  test('what keeps a deployment from beginning is said in a sentence', async () => {
    expect(await failure(small(), { KUBE_CONTEXT: 'nowhere' })).toBe(
      'deploy.sh: No access to the namespace kube-small with the context nowhere. kubectl auth can-i create deployments.apps: error: context "nowhere" does not exist\n',
    )
    expect(await failure(small(), { OVERLAY: 'nowhere' })).toBe(
      'deploy.sh: Unknown overlay nowhere. Available: local production scaled\n',
    )
    expect(await failure(small(), { KUBECONFIG: '/dev/null' })).toContain('kubectl has no current context')
    expect(
      await failure(small(), { KUBECONFIG: await configWith({ server: 'https://127.0.0.1:1' }) }),
    ).toMatch(
      /^deploy\.sh: No access to the namespace kube-small with the context kube\. kubectl auth can-i create deployments\.apps: .*refused.*\n$/,
    )
    await small().kubectl('create', 'serviceaccount', 'visitor')
    const token = await small().kubectl('create', 'token', 'visitor')
    expect(await failure(small(), { KUBECONFIG: await configWith({ token }) })).toBe(
      'deploy.sh: No access to the namespace kube-small with the context kube. kubectl auth can-i create deployments.apps: no\n',
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
