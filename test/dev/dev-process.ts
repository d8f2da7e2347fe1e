import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { until } from './run-platform.ts'

export const PORTICO = path.resolve('bin/portico.mjs')
export const NOTES = 'Tiny: project {}\nNote: service { text: string(100); #enumerable; }\n'

export let directory: string
export let definition: string
export let output: string
const children: Dev[] = []

/** `portico dev` as a user runs it. */
export interface Dev {
  readonly child: ChildProcess
  stdout(): string
  stderr(): string
  /** Resolves with the status, or the signal, that it ended with. */
  readonly ended: Promise<number | string>
  /** `localhost:1234`; throws when it ends first. */
  gateway(): Promise<string>
}

/** Gives each test of the file a directory with a definition, and ends what it started. */
export function useDev(): void {
  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'portico-process-'))
    // The database's account must be able to enter, so that its files are inside.
    await chmod(directory, 0o755)
    definition = path.join(directory, 'test.portico')
    output = path.join(directory, 'out')
    await writeFile(definition, NOTES)
  })

  afterEach(async () => {
    for (const { child, ended } of children.splice(0)) {
      child.kill('SIGKILL')
      await ended
    }
    await until(() => postgresProcesses().length === 0)
    const data = await dataDirectory()
    for (const each of [data, directory]) await rm(each, { recursive: true, force: true })
  })
}

/** Runs `portico dev` on the test's definition. */
export function dev(args: string[] = [], env: NodeJS.ProcessEnv = {}): Dev {
  return run(process.execPath, [PORTICO, 'dev', definition, '-o', output, '--port', '0', ...args], env)
}

/** Runs a program in the test's directory. */
export function run(program: string, args: string[], env: NodeJS.ProcessEnv = {}): Dev {
  const { npm_lifecycle_event: _event, npm_command: _command, ...own } = process.env
  const child = spawn(program, args, {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...own, PORTICO_SOURCE: '1', NO_COLOR: '1', ...env },
  })
  let [out, err] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text))
  const ended = once(child, 'close').then(([status, signal]) => (status ?? signal) as number | string)
  const started: Dev = {
    child,
    stdout: () => out,
    stderr: () => err,
    ended,
    gateway: async () => {
      await Promise.race([until(() => out.includes('GATEWAY_ENTRY=')), ended])
      const [, gateway] = /^GATEWAY_ENTRY=(localhost:\d+)$/m.exec(out) ?? []
      if (gateway === undefined) throw new Error(`It ended:\n${err}`)
      return gateway
    },
  }
  children.push(started)
  return started
}

async function dataDirectory(): Promise<string> {
  const usual = path.join(output, '.portico/dev/postgres')
  const note = await readFile(`${usual}.location`, 'utf8').catch(() => undefined)
  return note === undefined ? usual : note.trim()
}

/** Database processes whose data is this test's, by their working directory. */
export function postgresProcesses(): string[] {
  const note = path.join(output, '.portico/dev/postgres.location')
  let data = path.join(output, '.portico/dev/postgres')
  try {
    data = readFileSync(note, 'utf8').trim()
  } catch {
    // It lies where it usually does.
  }
  return readdirSync('/proc').filter((entry) => {
    if (!/^\d+$/.test(entry)) return false
    try {
      const [program] = readFileSync(`/proc/${entry}/comm`, 'utf8').split('\n')
      return (
        ['postgres', 'initdb'].includes(program ?? '') &&
        readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes(data)
      )
    } catch {
      return false
    }
  })
}
