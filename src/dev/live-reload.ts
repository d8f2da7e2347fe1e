import path from 'node:path'
import type { Platform } from '../model/platform.ts'
import type { Overrides } from '../model/resolve.ts'
import type { Closers } from './closers.ts'
import type { OnEvent } from './events.ts'
import { readDefinition, writeProject } from './generation.ts'
import { PlatformProblem } from './problem.ts'
import type { Runtime } from './runtime.ts'
import { sourceFingerprint } from './source-fingerprint.ts'
import { createTypeCheck } from './type-check.ts'
import { watch } from './watch.ts'

/** What live reloading needs. */
export interface LiveReloadOptions {
  /** Absolute. */
  readonly definition: string
  /** The definition's text that runs now. */
  readonly text: string
  readonly output: string
  readonly stateDirectory: string
  readonly overrides: Overrides
  readonly accept: (platform: Platform) => void
  readonly runtime: Runtime
  readonly onEvent: OnEvent
  /** The platform cannot go on. */
  readonly onFailure: (error: Error) => Promise<void>
}

/**
 * Watches a platform's files and reloads what changes; a definition that is wrong, or a service that does not
 * start, leaves what runs as it is. Types are checked beside.
 */
export async function startLiveReload(options: LiveReloadOptions, opened: Closers): Promise<void> {
  const { definition, output, overrides, accept, runtime, onEvent } = options
  const problem = (text: string): void => onEvent({ kind: 'problem', service: undefined, text })
  let text: string | undefined = options.text
  /** Of each service's files when they were looked at last. */
  const fingerprints = new Map<string, string>()
  /** One change at a time. */
  let queue: Promise<void> = Promise.resolve()

  const types = createTypeCheck({
    output,
    stateDirectory: options.stateDirectory,
    onErrors: (errors) => onEvent({ kind: 'types', errors }),
    onFailure: (reason) => problem(`Types could not be checked: ${reason}`),
  })
  await opened.add(types.stop)
  await Promise.all(runtime.directories().map(isChanged))

  const watching = watch({
    definition,
    output,
    onDefinition: () => enqueue(reloadDefinition),
    onServices: (directories) => enqueue(() => reloadServices(directories)),
    onError: (error) => problem(`A change may go unnoticed: ${error.message}`),
  })
  await opened.add(watching.close)
  follow()

  function follow(): void {
    watching.setServices(runtime.directories())
    types.setServices(runtime.directories())
    types.run()
  }

  function enqueue(act: () => Promise<void>): void {
    queue = queue.then(act).catch(async (error: unknown) => {
      const reason = error instanceof Error ? error : new Error(String(error))
      if (reason instanceof PlatformProblem && reason.kind === 'answer') await options.onFailure(reason)
      else problem(`${sentences(reason)}The platform runs on as it was.`)
    })
  }

  /** Whether a service's files differ from when this was asked last. */
  async function isChanged(directory: string): Promise<boolean> {
    const fingerprint = await sourceFingerprint(path.join(output, directory))
    if (fingerprints.get(directory) === fingerprint) return false
    fingerprints.set(directory, fingerprint)
    return true
  }

  async function reloadDefinition(): Promise<void> {
    const began = performance.now()
    const next = await readDefinition(definition, overrides, accept)
    if (next.text === text) return
    ;({ text } = next)
    onEvent({ kind: 'checked', text: next.text, diagnostics: next.diagnostics })
    const { generation } = next
    if (generation === undefined) return
    // Whatever stands against it may be gone when it is saved once more, as it is.
    text = undefined
    const touched = await runtime.update(generation, () => writeProject(output, generation))
    ;({ text } = next)
    if (touched === undefined)
      return problem('Nothing was emptied or written. The platform runs on as it was.')
    await Promise.all(touched.map(isChanged))
    const present = new Set(runtime.directories())
    onEvent({
      kind: 'reloaded',
      services: touched.filter((directory) => present.has(directory)),
      stopped: touched.filter((directory) => !present.has(directory)),
      milliseconds: performance.now() - began,
    })
    follow()
  }

  async function reloadServices(directories: readonly string[]): Promise<void> {
    const began = performance.now()
    const known = runtime.directories().filter((directory) => directories.includes(directory))
    const flags = await Promise.all(known.map(isChanged))
    const changed = known.filter((_, index) => flags[index])
    if (changed.length === 0) return
    const outcomes = await Promise.all(changed.map((directory) => runtime.services.reload(directory)))
    const services = changed.filter((_, index) => outcomes[index])
    if (services.length > 0)
      onEvent({ kind: 'reloaded', services, stopped: [], milliseconds: performance.now() - began })
    types.run()
  }
}

/** What went wrong and what to do about it, with what separates it from more. */
function sentences(error: Error): string {
  const advice = error instanceof PlatformProblem ? error.advice : undefined
  if (advice === undefined) return `${error.message} `
  return `${error.message}\n${advice}\n`
}
