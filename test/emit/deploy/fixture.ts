import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { emitDeployScript } from '../../../src/emit/deploy/deploy-script.ts'
import { emitTokenFilter } from '../../../src/emit/gateway/token-filter.ts'
import { platformOf } from '../platform.ts'

export const WITH_USERS = `Demo: project { #authMethod(email); }
User: service { name: string; #auth; }
HomeOwner: service { beds: int; }`
export const WITHOUT_USERS = `Demo: project {}
Home: service { beds: int; }`

/** The address of the gateway that the fake engine reports. */
export const ENTRY = '127.0.0.1:8080'

/** How a program ended. */
export interface Ended {
  readonly status: number | string
  readonly stdout: string
  readonly stderr: string
}

/** A project with its deploy.sh, and a fake `docker`. */
export interface Deployment {
  readonly directory: string
  readonly env: Readonly<Record<string, string>>
  /** Runs text in a shell, in the project's directory. */
  readonly shell: (program: string, script: string, env?: Readonly<Record<string, string>>) => Promise<Ended>
  /** Runs deploy.sh as a program. */
  readonly deploy: (...args: readonly string[]) => Promise<Ended>
  /** Calls of `docker` since the last time, one per line. */
  readonly calls: () => string[]
  /** Makes a command of `docker` fail and print the text. */
  readonly fault: (command: string, text: string) => void
  /** Sets what a command of `docker` prints. */
  readonly answer: (command: string, text: string) => void
  /** Shell code that a command of `docker` runs. */
  readonly script: (command: string, text: string) => void
  readonly read: (file: string) => string
  readonly write: (file: string, text: string) => void
}

/** Writes the deploy.sh of a definition into a directory whose name is hard to quote. */
export function deployment(definition = WITH_USERS, name = "a 'project' $HOME of %x"): Deployment {
  const root = mkdtempSync(path.join(tmpdir(), 'portico-deploy-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const directory = path.join(root, name)
  const [fake, bin] = [path.join(root, 'fake'), path.join(root, 'bin')]
  const folders = ['faults', 'answers', 'scripts'].map((folder) => path.join(fake, folder))
  const project = ['postgres', 'gateway', 'api'].map((folder) => path.join(directory, folder))
  for (const made of [bin, ...project, ...folders]) mkdirSync(made, { recursive: true })
  const platform = platformOf(definition)
  // Services read new credentials every two seconds, but here there are none.
  for (const { path: file, content } of [...emitDeployScript(platform), ...emitTokenFilter(platform)])
    writeFileSync(path.join(directory, file), content.replace('sleep 5', 'sleep 0.1'), {
      mode: 0o755,
    })
  for (const file of ['gateway/start.sh', 'gateway/configure.sh', 'gateway/envoy.yaml'])
    writeFileSync(path.join(directory, file), '')
  for (const file of ['postgres/create-role.sh', 'api/openapi.json'])
    writeFileSync(path.join(directory, file), '')
  copyFileSync(path.join(import.meta.dirname, 'fake-docker.sh'), path.join(bin, 'docker'))
  chmodSync(path.join(bin, 'docker'), 0o755)
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: root, FAKE: fake }
  let seen = 0
  return {
    directory,
    env,
    shell: (program, script, more = {}) =>
      ended(program, [program === 'zsh' ? '-fc' : '-c', script], directory, { ...env, ...more }),
    deploy: (...args) => ended('./deploy.sh', args, directory, env),
    calls: () => {
      const file = path.join(fake, 'calls')
      const all = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
      return all.slice(seen, (seen = all.length))
    },
    fault: (command, text) => writeFileSync(path.join(fake, 'faults', command), text),
    answer: (command, text) => writeFileSync(path.join(fake, 'answers', command), text),
    script: (command, text) => writeFileSync(path.join(fake, 'scripts', command), text),
    read: (file) => readFileSync(path.join(directory, file), 'utf8'),
    write: (file, text) => {
      mkdirSync(path.dirname(path.join(directory, file)), { recursive: true })
      writeFileSync(path.join(directory, file), text)
    },
  }
}

/** Runs deploy.sh until it is killed before its nth write. */
export function killedAtWrite(
  project: Deployment,
  count: number,
  ...args: readonly string[]
): Promise<Ended> {
  const counted = `write() {
  echo >>"$0.writes"
  [ "$(wc -l <"$0.writes")" -ne ${count} ] || { kill -KILL $$; exit 1; }`
  project.write(
    'killed.sh',
    project.read('deploy.sh').replace('write() {', () => counted),
  )
  return project.shell('bash', `rm -f killed.sh.writes; bash killed.sh ${args.join(' ')}`)
}

/** Runs a program to its end, without a terminal. */
export async function ended(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { status: code ?? signal ?? 'unknown', stdout, stderr }
}
