import { type ChildProcess, spawn } from 'node:child_process'
import * as vscode from 'vscode'
import type { Program } from './command-line.ts'
import { watchForGateway } from './gateway-entry.ts'

const CTRL_C = '\x03'
/** A platform ends within two seconds of being told to; what still runs after this many milliseconds is ended. */
const PATIENCE_MS = 5000
/** Characters of its output that are kept, to say why it ended. */
const KEPT = 4000

/** How a platform ended. */
export interface Ending {
  /** `undefined` where a signal ended it, or where it could not be started. */
  readonly status: number | undefined
  /** The user ended it. */
  readonly wasStopped: boolean
  /** What it printed last. */
  readonly lastLines: string
  /** Shows its terminal. */
  readonly show: () => void
}

/** What happens to a platform. */
export interface PlatformEvents {
  /** It answers requests at this `host:port`. */
  readonly ready: (address: string) => void
  readonly ended: (ending: Omit<Ending, 'show'>) => void
}

/**
 * A terminal that shows `portico dev`. It owns the process, so that what is printed can be read and Ctrl-C and
 * the terminal's closing end the platform in every shell's place.
 */
export class PlatformTerminal implements vscode.Pseudoterminal {
  readonly #written = new vscode.EventEmitter<string>()
  readonly #program: Program
  readonly #directory: string
  readonly #events: PlatformEvents
  #process: ChildProcess | undefined
  #wasStopped = false
  #hasEnded = false
  #lastLines = ''
  readonly onDidWrite = this.#written.event

  /** @param directory where the program works */
  constructor(program: Program, directory: string, events: PlatformEvents) {
    this.#program = program
    this.#directory = directory
    this.#events = events
  }

  open(): void {
    const { command, args, env } = this.#program
    const child = spawn(command, args, {
      cwd: this.#directory,
      env: { ...process.env, ...env, PORTICO_ENDS_WITH_PARENT: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#process = child
    const found = watchForGateway(this.#events.ready)
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      found(piece)
      this.#write(piece)
    })
    child.stderr.setEncoding('utf8').on('data', (piece: string) => this.#write(piece))
    child.once('error', (error) => {
      this.#write(`${command} could not be started: ${error.message}\n`)
      this.#end(undefined)
    })
    child.once('close', (status) => this.#end(status ?? undefined))
  }

  /** Ends the platform, if it still runs. */
  stop(): void {
    const child = this.#process
    if (child === undefined || this.#hasEnded) return
    this.#wasStopped = true
    child.kill('SIGINT')
    setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS).unref()
  }

  close(): void {
    this.stop()
  }

  handleInput(data: string): void {
    if (data === CTRL_C) this.stop()
  }

  #write(text: string): void {
    this.#lastLines = (this.#lastLines + text).slice(-KEPT)
    this.#written.fire(text.replaceAll(/\r?\n/g, '\r\n'))
  }

  #end(status: number | undefined): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const how = status === 0 || status === undefined ? '' : ` with exit status ${status}`
    this.#write(`\n\x1b[2mThe platform has ended${how}.\x1b[0m\n`)
    this.#events.ended({ status, wasStopped: this.#wasStopped, lastLines: this.#lastLines })
  }
}
