import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import * as vscode from 'vscode'
import type { Program } from './command-line.ts'
import { findGatewayAddress } from './gateway-address.ts'

const CTRL_C = '\x03'
/** A platform stops within two seconds; after this many milliseconds its process is killed. */
const KILL_TIMEOUT_MS = 5000
/** The number of characters of the output that are kept. */
const MAX_OUTPUT = 4000

/** How a platform ended. */
export interface PlatformExit {
  /** `undefined` if a signal ended the process, or it did not start. */
  readonly status: number | undefined
  /** Whether the user stopped the platform. */
  readonly wasStopped: boolean
  /** The end of the output. */
  readonly output: string
}

export interface PlatformEvents {
  /** The platform is ready, and listens on this `host:port`. */
  readonly onReady: (address: string) => void
  readonly onExit: (exit: PlatformExit) => void
}

/**
 * A terminal that runs `portico dev` and passes on what is typed, which answers its questions. It owns the process, so
 * that the extension can read the output, and so that Ctrl+C and closing the terminal stop the platform with every
 * shell.
 */
export class PlatformTerminal implements vscode.Pseudoterminal {
  readonly #onDidWrite = new vscode.EventEmitter<string>()
  readonly #program: Program
  readonly #directory: string
  readonly #events: PlatformEvents
  #process: ChildProcessWithoutNullStreams | undefined
  #wasStopped = false
  #hasExited = false
  #output = ''
  readonly onDidWrite = this.#onDidWrite.event

  /** @param directory the working directory of the program */
  constructor(program: Program, directory: string, events: PlatformEvents) {
    this.#program = program
    this.#directory = directory
    this.#events = events
  }

  open(): void {
    const { command, args, env } = this.#program
    const child = spawn(command, args, {
      cwd: this.#directory,
      env: { ...process.env, ...env, PORTICO_ENDS_WITH_PARENT: '1', PORTICO_INTERACTIVE: '1' },
      stdio: 'pipe',
    })
    this.#process = child
    child.stdin.on('error', () => {
      // The process ended before it read what was typed.
    })
    const findAddress = findGatewayAddress(this.#events.onReady)
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      findAddress(chunk)
      this.#write(chunk)
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => this.#write(chunk))
    child.once('error', (error) => {
      this.#write(`Could not start ${command}: ${error.message}\n`)
      this.#exit(undefined)
    })
    child.once('close', (status) => this.#exit(status ?? undefined))
  }

  /** Stops the platform if it is running. */
  stop(): void {
    const child = this.#process
    if (child === undefined || this.#hasExited) return
    this.#wasStopped = true
    child.kill('SIGINT')
    setTimeout(() => child.kill('SIGKILL'), KILL_TIMEOUT_MS).unref()
  }

  close(): void {
    this.stop()
  }

  handleInput(data: string): void {
    if (data === CTRL_C) this.stop()
    else this.#process?.stdin.write(data)
  }

  #write(text: string): void {
    this.#output = (this.#output + text).slice(-MAX_OUTPUT)
    this.#onDidWrite.fire(text.replaceAll(/\r?\n/g, '\r\n'))
  }

  #exit(status: number | undefined): void {
    if (this.#hasExited) return
    this.#hasExited = true
    const suffix = status === 0 || status === undefined ? '' : ` with exit status ${status}`
    this.#write(`\n\x1b[2mThe platform stopped${suffix}.\x1b[0m\n`)
    this.#events.onExit({ status, wasStopped: this.#wasStopped, output: this.#output })
  }
}
