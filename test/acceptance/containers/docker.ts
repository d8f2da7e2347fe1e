import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What a program printed, and how it ended. */
export interface Outcome {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end, whatever that is. `input` goes to its standard input; `env` is added to ours. */
export function outcomeOf(
  program: string,
  args: readonly string[],
  { cwd, env, input }: { cwd?: string; env?: Readonly<Record<string, string>>; input?: Buffer } = {},
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env } })
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    child.on('error', reject)
    child.on('close', (status) => {
      resolve({
        status: status ?? -1,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      })
    })
  })
}

/** What a docker command prints. Throws with all that it printed where it fails. */
export async function docker(...args: readonly string[]): Promise<string> {
  const { stdout } = await run('docker', args, { maxBuffer: 1 << 26 })
  return stdout.trim()
}

/** What the engine knows of a container, as `docker inspect` has it. */
export interface Container {
  readonly Id: string
  readonly Name: string
  readonly Created: string
  readonly Image: string
  readonly RestartCount: number
  readonly Config: {
    readonly User: string
    readonly Env: readonly string[]
    readonly Cmd: readonly string[] | null
    readonly Labels: Readonly<Record<string, string>>
  }
  readonly State: {
    readonly Status: string
    readonly StartedAt: string
    readonly OOMKilled: boolean
    readonly Health?: { readonly Status: string }
  }
  readonly HostConfig: {
    readonly ReadonlyRootfs: boolean
    readonly Privileged: boolean
    readonly CapAdd: readonly string[] | null
    readonly CapDrop: readonly string[] | null
    readonly SecurityOpt: readonly string[] | null
    readonly Memory: number
    readonly PidsLimit: number | null
    readonly Init: boolean | null
    readonly NetworkMode: string
    readonly RestartPolicy: { readonly Name: string }
    readonly LogConfig: { readonly Type: string; readonly Config: Readonly<Record<string, string>> }
    readonly PortBindings: Readonly<Record<string, readonly { HostIp: string; HostPort: string }[]>> | null
  }
  readonly NetworkSettings: { readonly Networks: Readonly<Record<string, { readonly IPAddress: string }>> }
  readonly Mounts: readonly {
    readonly Type: string
    readonly Name?: string
    readonly Destination: string
    readonly RW: boolean
  }[]
}

/** Containers by their ids or names, in that order. */
export async function inspect(...ids: readonly string[]): Promise<Container[]> {
  return ids.length === 0 ? [] : (JSON.parse(await docker('inspect', ...ids)) as Container[])
}
