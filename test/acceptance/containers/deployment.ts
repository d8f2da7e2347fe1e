import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { deriveChecks } from '../../../src/conformance/derive-checks.ts'
import { runChecks } from '../../../src/conformance/run.ts'
import type { Check, RunSummary } from '../../../src/conformance/check.ts'
import type { SigningCredential } from '../../../src/conformance/test-context.ts'
import type { Platform } from '../../../src/model/platform.ts'
import { freePort } from '../../free-port.ts'
import { type Container, docker, inspect, type Outcome, outcomeOf } from './docker.ts'
import { generate } from './project.ts'
import { uniqueName } from './unique-name.ts'

/** A generated project that runs in containers of its own. */
export interface Deployment {
  /** Directory of the project. */
  readonly directory: string
  /** Name of the Compose project, with which the names of containers, networks and volumes begin, and tag of the images. */
  readonly project: string
  /** What tells this deployment from others, for programs that are started by hand. */
  readonly env: Readonly<Record<string, string>>
  readonly platform: Platform
  /** `host:port`, as `source deploy.sh` left it in the shell. */
  readonly gateway: string
  readonly credential: SigningCredential | undefined
  /** Runs `docker compose` in the project. */
  compose(...args: readonly string[]): Promise<Outcome>
  /** Runs `deploy.sh` as a program. */
  script(...args: readonly string[]): Promise<Outcome>
  /** Generates another definition's project over this one's, the user's files aside. */
  regenerate(text: string, ...options: readonly string[]): Promise<void>
  /** Containers of a service of compose.yaml, running or not. */
  containers(service?: string): Promise<Container[]>
  /** Runs a program in a service's container, as the account that the container has. */
  exec(service: string, ...command: readonly string[]): Promise<Outcome>
  /** Runs the checks of the definition that the filter lets through. */
  check(filter?: (check: Check) => boolean): Promise<RunSummary>
  /** Removes containers, networks, volumes, images and files. */
  destroy(): Promise<void>
}

/** Generates a definition, and starts it by `source deploy.sh`. Throws with all output where that fails. */
export async function deploy(text: string): Promise<Deployment> {
  const project = await uniqueName()
  const directory = await mkdtemp(path.join(tmpdir(), `${project}-`))
  // One port, which stays the same when the gateway starts again.
  const env = {
    COMPOSE_PROJECT_NAME: project,
    TAG: project,
    GATEWAY_PORT: String(await freePort()),
    DOCKER_BUILDKIT: '0',
    // The tests sign in more often than a user.
    AUTH_RATE_LIMIT: '0',
  }
  let platform = await generate(directory, text)

  const compose = (...args: readonly string[]) =>
    outcomeOf('docker', ['compose', ...args], { cwd: directory, env })
  const containers = async (service?: string) => {
    const filters = [`project=${project}`, ...(service === undefined ? [] : [`service=${service}`])]
    const ids = await docker(
      'ps',
      '-aq',
      ...filters.flatMap((filter) => ['--filter', `label=com.docker.compose.${filter}`]),
    )
    return inspect(...ids.split('\n').filter((id) => id !== ''))
  }
  async function destroy(): Promise<void> {
    await outcomeOf('./deploy.sh', ['destroy', '--yes'], { cwd: directory, env })
    await rm(directory, { recursive: true, force: true })
  }

  let gateway: string
  try {
    gateway = await source(directory, env)
  } catch (error) {
    await destroy()
    throw error
  }
  const credential = platform.authentication && signingCredential(directory)
  return {
    directory,
    project,
    env,
    get platform() {
      return platform
    },
    gateway,
    credential,
    compose,
    script: (...args) => outcomeOf('./deploy.sh', args, { cwd: directory, env }),
    regenerate: async (changed, ...options) => {
      platform = await generate(directory, changed, ...options)
    },
    containers,
    exec: async (service, ...command) => {
      const [container] = await containers(service)
      if (!container) throw new Error(`${service} has no container`)
      return outcomeOf('docker', ['exec', container.Id, ...command])
    },
    check: (filter = () => true) =>
      runChecks(platform, deriveChecks(platform).filter(filter), { gateway, isolated: true, credential }),
    destroy,
  }
}

function signingCredential(directory: string): SigningCredential {
  const [id = '', secret = ''] = readFileSync(path.join(directory, '.secrets/credentials'), 'utf8')
    .trim()
    .split(' ')
  return { id, secret }
}

async function source(directory: string, env: Readonly<Record<string, string>>): Promise<string> {
  const script = 'source ./deploy.sh >&2 && printf %s "$GATEWAY_ENTRY"'
  const { status, stdout, stderr } = await outcomeOf('bash', ['-c', script], { cwd: directory, env })
  if (status === 0 && stdout !== '') return stdout
  throw new Error(`deploy.sh failed with status ${status}.\n${stderr}`)
}
