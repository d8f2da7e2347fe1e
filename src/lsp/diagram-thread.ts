import { Worker } from 'node:worker_threads'
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver'
import { diagram } from '../emit/diagram/diagram.ts'
import { diagramSvg } from '../emit/diagram/svg.ts'
import { type DefinitionFiles, readFiles } from '../language/parse.ts'
import { resolvePlatform } from '../model/resolve.ts'

/** A diagram to draw. */
export interface DiagramJob {
  readonly files: DefinitionFiles['files']
  readonly interactive: boolean
}

interface PendingJob {
  readonly job: DiagramJob
  readonly resolve: (svg: string) => void
  readonly reject: (error: Error) => void
}

/** A thousand services need 100 MB. The diagram of a definition that needs more than the limit is not drawn. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 512 }

/**
 * Draws diagrams in a separate thread, one at a time. A newer request replaces one that waits. The thread ends after
 * each diagram, because it needs almost as much memory as the rest of the server.
 */
export class DiagramThread {
  readonly #server: URL
  #worker: Worker | undefined
  #waiting: PendingJob | undefined

  /** @param server URL of the server's module, which the thread runs too */
  constructor(server: URL) {
    this.#server = server
  }

  /** The diagram of a valid definition. */
  draw(files: DefinitionFiles['files'], interactive: boolean): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiting?.reject(new ResponseError(LSPErrorCodes.ContentModified, 'A newer diagram was requested'))
      this.#waiting = { job: { files, interactive }, resolve, reject }
      this.#next()
    })
  }

  /** Ends the thread. */
  stop(): void {
    void this.#worker?.terminate()
  }

  #next(): void {
    if (this.#worker !== undefined || this.#waiting === undefined) return
    const { job, resolve, reject } = this.#waiting
    this.#waiting = undefined
    const worker = new Worker(this.#server, { workerData: job, resourceLimits: RESOURCE_LIMITS })
    worker.unref()
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => {
      this.#worker = undefined
      this.#next()
    })
    this.#worker = worker
  }
}

/** The code of the thread: draws the diagram of its job. The server has checked the definition. */
export function drawDiagram({ files, interactive }: DiagramJob): string {
  const platform = resolvePlatform(readFiles({ files }).value)
  return diagramSvg(diagram(platform), { interactive, standalone: !interactive })
}
