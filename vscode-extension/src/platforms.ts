import path from 'node:path'
import * as vscode from 'vscode'
import type { Program } from './command-line.ts'
import { type Ending, PlatformTerminal } from './platform-terminal.ts'
import type { RunningPlatform } from './status-text.ts'

/** A platform that was started from this window. */
export interface Platform extends RunningPlatform {
  readonly definition: vscode.Uri
  readonly show: () => void
  readonly stop: () => void
}

interface Started extends Platform {
  address: string | undefined
}

/** The platforms that this window runs, at most one of each definition. */
export class Platforms implements vscode.Disposable {
  readonly #running = new Map<string, Started>()
  readonly #changed = new vscode.EventEmitter<void>()
  /** A platform was started, answers, or has ended. */
  readonly onDidChange = this.#changed.event

  /** Those that run, in the order in which they were started. */
  get all(): readonly Platform[] {
    return [...this.#running.values()]
  }

  /** The platform of a definition, if it runs. */
  of(definition: vscode.Uri): Platform | undefined {
    return this.#running.get(definition.toString())
  }

  /**
   * Runs a platform in a terminal of its own.
   *
   * @param program the command line with all its arguments
   * @param ended is called when the platform has ended
   */
  run(definition: vscode.Uri, program: Program, ended: (ending: Ending) => void): void {
    const key = definition.toString()
    const name = path.basename(definition.fsPath)
    const process = new PlatformTerminal(program, path.dirname(definition.fsPath), {
      ready: (address) => {
        started.address = address
        this.#changed.fire()
      },
      ended: (ending) => {
        this.#running.delete(key)
        this.#tell()
        ended({ ...ending, show: () => terminal.show() })
      },
    })
    const terminal = vscode.window.createTerminal({
      name: `Portico: ${name}`,
      iconPath: new vscode.ThemeIcon('type-hierarchy-sub'),
      isTransient: true,
      pty: process,
    })
    const started: Started = {
      definition,
      name,
      address: undefined,
      show: () => terminal.show(),
      stop: () => process.stop(),
    }
    this.#running.set(key, started)
    this.#tell()
    terminal.show(true)
  }

  dispose(): void {
    for (const platform of this.#running.values()) platform.stop()
    this.#changed.dispose()
  }

  #tell(): void {
    void vscode.commands.executeCommand('setContext', 'portico.running', this.#running.size > 0)
    this.#changed.fire()
  }
}
