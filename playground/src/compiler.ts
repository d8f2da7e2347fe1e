import type { Language } from '../../src/language/builtins.ts'
import type { CompileRequest, Project } from './compiler.worker.ts'
import type { Definition } from './definition.ts'

/** Compiles definitions in another thread, one at a time: a newer one replaces one that waits. */
export class Compiler {
  readonly #worker = new Worker('compiler.js', { type: 'module' })
  readonly #onProject: (project: Project | undefined) => void
  #isBusy = false
  #waiting: CompileRequest | undefined

  /** @param onProject gets the project of each definition; `undefined` while it has errors */
  constructor(onProject: (project: Project | undefined) => void) {
    this.#onProject = onProject
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Project | undefined>) => {
      this.#isBusy = false
      this.#next()
      this.#onProject(data)
    })
  }

  /** @param isStart whether later versions are compared with this one */
  compile(texts: Definition, language: Language | undefined, isStart: boolean): void {
    this.#waiting = { texts, language, isStart: isStart || this.#waiting?.isStart === true }
    this.#next()
  }

  #next(): void {
    if (this.#isBusy || this.#waiting === undefined) return
    this.#isBusy = true
    this.#worker.postMessage(this.#waiting)
    this.#waiting = undefined
  }
}
