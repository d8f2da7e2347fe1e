import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..')
/** For generated projects and databases: in the repository, so that services find their dependencies in its node_modules. */
export const WORK = join(ROOT, 'bench/.work')
/** The command line. */
export const PORTICO = join(ROOT, 'bin/portico.mjs')

/** The time of a run in ms and its peak resident memory in bytes. */
export interface Run {
  readonly ms: number
  readonly peakBytes: number
}

/** Runs `node` with these arguments. Throws if it fails. `peakBytes` is 0 without `peak`. */
export async function runNode(
  args: readonly string[],
  { peak }: { readonly peak: boolean } = { peak: false },
): Promise<Run> {
  const start = performance.now()
  const child = spawn(process.execPath, peak ? [...REPORT_PEAK, ...args] : args, {
    cwd: ROOT,
    stdio: peak ? ['ignore', 'ignore', 'pipe', 'ipc'] : ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  let peakBytes = 0
  child.on('message', (message) => {
    peakBytes = Number(message)
  })
  const [status] = (await once(child, 'exit')) as [number | null]
  const ms = performance.now() - start
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}:\n${errors}`)
  return { ms, peakBytes }
}

/** Node's options that make a run report its peak memory to `runNode`. */
const REPORT_PEAK = ['--import', new URL('./report-peak.mjs', import.meta.url).href]

/** Starts `node` with these arguments, pinned to a core if the system supports it (`taskset`). */
export function startNode(args: readonly string[], options: StartOptions = {}): ChildProcess {
  return startProgram(process.execPath, args, options)
}

interface StartOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  readonly core?: number
  readonly stdout?: 'ignore' | 'pipe'
}

/** Starts a program, as `startNode` starts Node. */
export function startProgram(program: string, args: readonly string[], options: StartOptions): ChildProcess {
  const [command, ...first] =
    options.core === undefined || !canPin() ? [program] : ['taskset', '-c', String(options.core), program]
  return spawn(command ?? program, [...first, ...args], {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, ...options.env },
    stdio: ['pipe', options.stdout ?? 'pipe', 'inherit'],
  })
}

/** Pins a process and those that it starts from now on to a core, if the system supports it. */
export function pin(pid: number, core: number): void {
  if (canPin()) execFileSync('taskset', ['-pc', String(core), String(pid)])
}

function canPin(): boolean {
  return process.platform === 'linux' && ['/usr/bin/taskset', '/bin/taskset'].some((path) => existsSync(path))
}

/** Stops a process and waits for its end. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Returns a process and all below it (Linux). */
function tree(pid: number): number[] {
  const parents = new Map<number, number[]>()
  for (const entry of readdirSync('/proc')) {
    const child = Number(entry)
    if (!Number.isInteger(child)) continue
    const stat = readIfRunning(`/proc/${entry}/stat`)
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    parents.set(parent, [...(parents.get(parent) ?? []), child])
  }
  const found = [pid]
  for (const each of found) found.push(...(parents.get(each) ?? []))
  return found
}

/** Reads a file of a process. Returns nothing if the process has ended. */
function readIfRunning(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/**
 * Memory of a process and all below it in bytes: each page counted once, shared ones in parts (Linux, PSS in
 * proc(5)).
 */
export function memoryOfTree(pid: number): number {
  return tree(pid).reduce((bytes, each) => {
    const kilobytes = /^Pss:\s+(\d+) kB/m.exec(readIfRunning(`/proc/${each}/smaps_rollup`))
    return bytes + Number(kilobytes?.[1] ?? 0) * 1024
  }, 0)
}

/** Returns whether the command line of a process or of one below it contains a text (Linux). */
export function isRunningBelow(pid: number, text: string): boolean {
  return tree(pid).some((each) => readIfRunning(`/proc/${each}/cmdline`).includes(text))
}

/** Returns the resident memory of a process in bytes (Linux). */
export function residentMemory(pid: number): number {
  return memoryStatus(pid, 'VmRSS')
}

/** Returns the resident memory of a process without that of files, in bytes (Linux). */
export function privateMemory(pid: number): number {
  return memoryStatus(pid, 'RssAnon')
}

/** Returns the largest resident memory that a process has had, in bytes (Linux). */
export function peakMemory(pid: number): number {
  return memoryStatus(pid, 'VmHWM')
}

function memoryStatus(pid: number, key: string): number {
  const kilobytes = new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(kilobytes?.[1] ?? 0) * 1024
}

/** Returns the CPU time of a process in ms (Linux: proc(5), a tick is 10 ms). */
export function processorTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
