import path from 'node:path'
import * as vscode from 'vscode'
import type { Program } from './command-line.ts'
import { type PlatformExit, PlatformTerminal } from './platform-terminal.ts'
import type { RunningPlatform } from './status-text.ts'

/** A platform that runs in this window. */
export interface Platform extends RunningPlatform {
  readonly definition: vscode.Uri
  /** Shows its terminal. */
  readonly show: () => void
  readonly stop: () => void
}

interface MutablePlatform extends Platform {
  address: string | undefined
}

/** The platforms that run in this window, at most one for each definition. */
export class Platforms implements vscode.Disposable {
  readonly #running = new Map<string, MutablePlatform>()
  readonly #onDidChange = new vscode.EventEmitter<void>()
  /** A platform was started, is ready, or has stopped. */
  readonly onDidChange = this.#onDidChange.event

  /** The running platforms, in the order in which they were started. */
  get all(): readonly Platform[] {
    return [...this.#running.values()]
  }

  /** The running platform of a definition. */
  of(definition: vscode.Uri): Platform | undefined {
    return this.#running.get(definition.toString())
  }

  /**
   * Runs a platform in a new terminal.
   *
   * @param program the command line with all its arguments
   * @param onExit is called when the platform has stopped, with a function that shows its terminal
   */
  run(
    definition: vscode.Uri,
    program: Program,
    onExit: (exit: PlatformExit, show: () => void) => void,
  ): void {
    const key = definition.toString()
    const name = path.basename(definition.fsPath)
    const process = new PlatformTerminal(program, path.dirname(definition.fsPath), {
      onReady: (address) => {
        platform.address = address
        this.#onDidChange.fire()
      },
      onExit: (exit) => {
        this.#running.delete(key)
        this.#changed()
        onExit(exit, () => terminal.show())
      },
    })
    const terminal = vscode.window.createTerminal({
      name: `Portico: ${name}`,
      iconPath: new vscode.ThemeIcon('type-hierarchy-sub'),
      isTransient: true,
      pty: process,
    })
    const platform: MutablePlatform = {
      definition,
      name,
      address: undefined,
      show: () => terminal.show(),
      stop: () => process.stop(),
    }
    this.#running.set(key, platform)
    this.#changed()
    terminal.show(true)
  }

  dispose(): void {
    for (const platform of this.#running.values()) platform.stop()
    this.#onDidChange.dispose()
  }

  /** The `when` clauses of the manifest use both keys. URIs have another scheme there in remote windows. */
  #changed(): void {
    const paths = this.all.map(({ definition }) => definition.fsPath)
    void vscode.commands.executeCommand('setContext', 'portico.running', paths.length > 0)
    void vscode.commands.executeCommand('setContext', 'portico.runningDefinitions', paths)
    this.#onDidChange.fire()
  }
}
