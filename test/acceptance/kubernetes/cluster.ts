import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'
import { deriveChecks } from '../../../src/conformance/derive-checks.ts'
import type { RunSummary } from '../../../src/conformance/check.ts'
import type { SigningCredential } from '../../../src/conformance/test-context.ts'
import { runChecks } from '../../../src/conformance/run.ts'
import type { Platform } from '../../../src/model/platform.ts'
import { docker, type Outcome, outcomeOf } from '../containers/docker.ts'
import { beginRun } from '../containers/leftovers.ts'
import { generate } from '../containers/project.ts'

/** What `.ci/install/kubernetes` has started. */
const HOME = path.join(process.env['PORTICO_CI_HOME'] ?? '/var/tmp/portico-ci', 'kubernetes')

/** The environment of programs that use the cluster: nothing of ours but what finds programs. */
export const CLUSTER_ENV: Readonly<Record<string, string>> = {
  PATH: `${path.join(HOME, 'bin')}:${process.env['PATH'] ?? ''}`,
  HOME: process.env['HOME'] ?? '/root',
  KUBECONFIG: path.join(HOME, 'cluster/admin.conf'),
  CONTAINERD_ADDRESS: path.join(HOME, 'cluster/containerd.sock'),
  DOCKER_BUILDKIT: '0',
}

/** Runs kubectl to its end. */
export function kubectl(args: readonly string[], input?: string): Promise<Outcome> {
  if (!existsSync(CLUSTER_ENV['KUBECONFIG'] ?? ''))
    throw new Error('No cluster runs. Start it with .ci/install/kubernetes')
  return outcomeOf('kubectl', args, {
    env: CLUSTER_ENV,
    ...(input === undefined ? {} : { input: Buffer.from(input) }),
  })
}

/** Ends the processes of a container with SIGKILL, as the kernel does without memory. */
export async function killContainer(id: string): Promise<void> {
  const { status, stderr } = await outcomeOf(
    'ctr',
    ['--namespace', 'k8s.io', 'tasks', 'kill', '--signal', 'SIGKILL', id],
    { env: CLUSTER_ENV },
  )
  if (status !== 0) throw new Error(`ctr: ${stderr}`)
}

/** A platform that runs on the cluster, in a namespace of its own. */
export interface KubernetesDeployment {
  readonly directory: string
  readonly platform: Platform
  readonly namespace: string
  /** `host:port`, as `source deploy.sh` left it in the shell. */
  readonly gateway: string
  /** Runs kubectl in the namespace. Throws with all that it printed where it fails. */
  kubectl(...args: readonly string[]): Promise<string>
  /** Generates the project again from another definition. */
  regenerate(text: string, ...options: readonly string[]): Promise<void>
  /** Runs `deploy.sh` as a program. */
  script(...args: readonly string[]): Promise<Outcome>
  /** Runs commands in the project, as they are in its README. */
  bash(commands: string): Promise<Outcome>
  /** Runs all checks of the definition. */
  check(): Promise<RunSummary>
  /** Deletes the namespace, the images and the files. */
  destroy(): Promise<void>
}

/** Generates a definition for Kubernetes, and starts it by `source deploy.sh` in a clean shell with these variables. */
export async function deployToKubernetes(
  text: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<KubernetesDeployment> {
  // Runs of container tests that end beside this one leave what its builds continue with.
  await beginRun(inject('containersRun'))
  const directory = await mkdtemp(path.join(tmpdir(), 'portico-kubernetes-'))
  const platform = await generate(directory, text, '--provider', 'kube')
  const namespace = platform.names.kebab
  // The tests sign in more often than a user.
  const env = { ...CLUSTER_ENV, AUTH_RATE_LIMIT: '0', ...variables }
  const script = (...args: readonly string[]) => clean(directory, env, './deploy.sh', ...args)
  async function destroy(): Promise<void> {
    // Nobody waits for its pods.
    await kubectl(['delete', 'namespace', namespace, '--wait=false', '--ignore-not-found'])
    const images = await docker('image', 'ls', '--format', '{{.Repository}}:{{.Tag}}')
    const mine = images.split('\n').filter((image) => image.split('/').at(-2) === namespace)
    if (mine.length > 0) await outcomeOf('docker', ['image', 'rm', ...mine])
    await rm(directory, { recursive: true, force: true })
  }
  // A first try may have left it.
  await kubectl(['wait', '--for=delete', `namespace/${namespace}`, '--timeout=120s'])
  const sourced = 'source ./deploy.sh >&2 && printf %s "$GATEWAY_ENTRY"'
  const { status, stdout, stderr } = await clean(directory, env, 'bash', '-c', sourced)
  if (status !== 0 || stdout === '') {
    await destroy()
    throw new Error(`deploy.sh failed with status ${status}.\n${stderr}`)
  }
  const inNamespace = async (...args: readonly string[]): Promise<string> => {
    const outcome = await kubectl(['--namespace', namespace, ...args])
    if (outcome.status !== 0) throw new Error(`kubectl ${args.join(' ')}: ${outcome.stderr}`)
    return outcome.stdout.trim()
  }
  const credential = await signingCredential(platform, inNamespace)
  return {
    directory,
    platform,
    namespace,
    gateway: stdout,
    kubectl: inNamespace,
    regenerate: async (changed, ...options) => {
      await generate(directory, changed, '--provider', 'kube', ...options)
    },
    script,
    bash: (commands) => clean(directory, env, 'bash', '-ec', commands),
    check: () => runChecks(platform, deriveChecks(platform), { gateway: stdout, isolated: true, credential }),
    destroy,
  }
}

/** Runs a program with this environment only. */
function clean(
  cwd: string,
  env: Readonly<Record<string, string>>,
  ...command: readonly string[]
): Promise<Outcome> {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  return outcomeOf('env', ['-i', ...variables, ...command], { cwd })
}

async function signingCredential(
  { authentication }: Platform,
  inNamespace: KubernetesDeployment['kubectl'],
): Promise<SigningCredential | undefined> {
  if (authentication === undefined) return undefined
  const data = await inNamespace('get', 'secret', 'gateway-credentials', '-o', 'jsonpath={.data.credentials}')
  const [id = '', secret = ''] = Buffer.from(data, 'base64').toString().trim().split(/\s/)
  return { id, secret }
}
