import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable, type Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import type { ProcessIO } from '../../src/cli/context.ts'
import { runProgram } from '../../src/cli/program.ts'

export const PORTICO = join(import.meta.dirname, '../../bin/portico.mjs')

/** What a run of the command line left. */
export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd?: string
  /** What standard input holds, or the error that reading it meets. */
  readonly stdin?: string | Uint8Array | Error
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Standard output and error are terminals. */
  readonly terminal?: boolean
  readonly signal?: AbortSignal
  /** Sees what is written to standard error as it comes; in this process only. */
  readonly onStderr?: (text: string) => void
}

/** A directory that is gone when the test ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'portico-cli-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Runs a command line in this process. */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const out = collector(options.terminal)
  const err = collector(options.terminal)
  err.stream.on('data', (chunk: Buffer) => options.onStderr?.(chunk.toString()))
  const io: ProcessIO = {
    cwd: options.cwd ?? process.cwd(),
    env: options.env ?? {},
    stdin: standardInput(options.stdin),
    stdout: out.stream,
    stderr: err.stream,
    signal: options.signal ?? new AbortController().signal,
  }
  const status = await runProgram(args, io)
  return { status, stdout: out.text(), stderr: err.text() }
}

/** Runs the real program, from its source, in a process of its own. */
export async function runProcess(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const child = spawn(process.execPath, [PORTICO, ...args], {
    cwd: options.cwd,
    env: { ...process.env, PORTICO_SOURCE: '1', NO_COLOR: undefined, FORCE_COLOR: undefined, ...options.env },
    stdio: 'pipe',
  })
  const out = collector()
  const err = collector()
  child.stdout.pipe(out.stream)
  child.stderr.pipe(err.stream)
  child.stdin.on('error', () => {
    // A program that ends without reading its input is none of our business.
  })
  child.stdin.end(options.stdin instanceof Error ? undefined : options.stdin)
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { status, stdout: out.text(), stderr: err.text() }
}

/** One thing to type, and the text on the screen that it answers. A function can also do something else first. */
export type Typing = readonly [seen: string, keys: string | (() => string)]

/**
 * Runs the real program on a pseudoterminal of script(1), which makes one stream of output and error, and
 * types each answer when its question is on the screen.
 */
export async function runOnTerminal(
  args: readonly string[],
  cwd: string,
  typing: readonly Typing[],
): Promise<{ readonly status: number | null; readonly screen: string }> {
  return await typeOnTerminal([process.execPath, PORTICO, ...args], cwd, typing)
}

/** The same for any program. */
export async function typeOnTerminal(
  words: readonly string[],
  cwd: string,
  typing: readonly Typing[],
): Promise<{ readonly status: number | null; readonly screen: string }> {
  const command = `stty cols 80 rows 24; exec ${words.map((word) => `'${word}'`).join(' ')}`
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd,
    env: { ...process.env, PORTICO_SOURCE: '1', TERM: 'xterm', CI: undefined, NO_COLOR: undefined },
    stdio: 'pipe',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const left = [...typing]
  let screen = ''
  let from = 0
  child.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString()
    const [next] = left
    const place = next === undefined ? -1 : screen.indexOf(next[0], from)
    if (next === undefined || place < 0) return
    left.shift()
    from = place + next[0].length
    child.stdin.write(typeof next[1] === 'string' ? next[1] : next[1]())
  })
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { status, screen }
}

function standardInput(content: RunOptions['stdin']): Readable {
  if (content instanceof Error)
    return new Readable({ read: (): void => void 0, construct: (done) => done(content) })
  return Readable.from(content === undefined ? [] : [Buffer.from(content)])
}

function collector(isTTY = false): { stream: Writable & { isTTY: boolean }; text: () => string } {
  const chunks: Buffer[] = []
  const stream = new PassThrough()
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return { stream: Object.assign(stream, { isTTY }), text: () => Buffer.concat(chunks).toString() }
}
