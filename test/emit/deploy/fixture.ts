import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { emitDeployScript } from '../../../src/emit/deploy/deploy-script.ts'
import { platformOf } from '../platform.ts'
import { temporaryDirectory } from '../service-process.ts'

export const WITH_USERS = `Demo: project { #authMethod(email); }
User: service { name: string; #auth; }
Home: service { beds: int; }`
export const WITHOUT_USERS = `Demo: project {}
Home: service { beds: int; }`

/** How a shell or a program ended. */
export interface Ended {
  readonly status: number | string
  readonly stdout: string
  readonly stderr: string
}

/** A project of a definition, with a `docker` that only pretends. */
export interface Place {
  readonly directory: string
  /** Directory that the pretended engine keeps itself in. */
  readonly fake: string
  /** Where the pretended gateway answers: `127.0.0.1:<port>`. */
  readonly entry: string
  readonly env: Readonly<Record<string, string>>
  /** Runs text in a shell, in the project's directory. */
  readonly shell: (program: string, script: string, env?: Readonly<Record<string, string>>) => Promise<Ended>
  /** Runs deploy.sh as a program. */
  readonly deploy: (...args: readonly string[]) => Promise<Ended>
  /** Calls of `docker`, a line each, since the last time that this was asked. */
  readonly calls: () => string[]
  /** Has `docker` fail at something and print the text. */
  readonly fault: (name: string, text: string) => void
  /** What `docker` answers to one of its questions. */
  readonly answer: (name: string, text: string) => void
  /** The files of one tar that went into the volumes, by their path in it; of the last one without a number. */
  readonly installed: (number?: number) => Promise<Record<string, string>>
  /** How many tars went into the volumes. */
  readonly tars: () => number
  /** The text of a file of the project. */
  readonly read: (file: string) => string
}

const run = promisify(execFile)

/** Makes the project, its directory's name with a space and other trouble in it. */
export async function place(definition = WITH_USERS): Promise<Place> {
  const root = await temporaryDirectory()
  const directory = path.join(root, "a 'project' $HOME of %x")
  const [fake, bin] = [path.join(root, 'fake'), path.join(root, 'bin')]
  const platform = platformOf(definition)
  const names = [platform.authentication, ...platform.services].flatMap((service) =>
    service === undefined ? [] : [service.directory, service.databaseDirectory],
  )
  for (const made of [
    bin,
    path.join(fake, 'faults'),
    path.join(fake, 'answers'),
    path.join(directory, 'gateway'),
  ])
    mkdirSync(made, { recursive: true })
  for (const name of names) {
    mkdirSync(path.join(directory, name))
    writeFileSync(path.join(directory, name, 'Dockerfile'), `FROM ${name}\n`)
  }
  for (const { path: file, content } of emitDeployScript(platform))
    writeFileSync(path.join(directory, file), content, { mode: 0o755 })
  copyFileSync(path.join(import.meta.dirname, 'fake-docker.sh'), path.join(bin, 'docker'))
  chmodSync(path.join(bin, 'docker'), 0o755)
  const port = await gateway()
  const env = {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    HOME: root,
    FAKE: fake,
    FAKE_PORT: String(port),
    FAKE_SERVICES: ['gateway', ...names].join(' '),
  }
  const finish = (program: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    ended(program, args, directory, { ...env, ...more })
  let seen = 0
  return {
    directory,
    fake,
    entry: `127.0.0.1:${port}`,
    env,
    shell: (program, script, more) =>
      finish(program, program === 'zsh' ? ['-fc', script] : ['-c', script], more),
    deploy: (...args) => finish('./deploy.sh', args),
    calls: () => {
      const file = path.join(fake, 'calls')
      const all = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
      return all.slice(seen, (seen = all.length))
    },
    fault: (name, text) => writeFileSync(path.join(fake, 'faults', name), text),
    answer: (name, text) => writeFileSync(path.join(fake, 'answers', name), text),
    installed: async (number = readdirSync(path.join(fake, 'tars')).length - 1) => {
      const tar = path.join(fake, 'tars', `${String(number).padStart(3, '0')}.tar`)
      const list = (await run('tar', ['-tf', tar])).stdout.split('\n').filter((name) => /[^/]$/.test(name))
      const texts = list.map(async (name) => [name, (await run('tar', ['-xOf', tar, name])).stdout] as const)
      return Object.fromEntries(await Promise.all(texts))
    },
    tars: () => readdirSync(path.join(fake, 'tars')).length,
    read: (file) => readFileSync(path.join(directory, file), 'utf8'),
  }
}

/** A server that answers 401 to everything, as the gateway does. */
async function gateway(): Promise<number> {
  const server = createServer((_, answer) => answer.writeHead(401).end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
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
