import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readSamples, SamplesError } from '../conformance/read-samples.ts'
import { Samples } from '../conformance/samples.ts'
import { isSymlinkOutside } from '../definition-folder.ts'
import type { Json } from '../json.ts'
import type { Platform } from '../model/platform.ts'
import { defaultProjectDirectory } from '../output/project-directory.ts'
import { CommandError, environmentError } from './command-error.ts'
import type { Invocation } from './command.ts'
import type { Context } from './context.ts'
import { readTextFile } from './definition.ts'
import { EXIT } from './exit-status.ts'
import { stripEscapes } from './terminal-text.ts'

/** A file of the project, which is the user's and may be missing. */
interface SampleFile {
  readonly path: string
  /** The path in messages, relative to the working directory. */
  readonly shown: string
}

/** How the command was called, and what stops it. */
interface PreparedRun {
  readonly invocation: Invocation
  readonly context: Context
  readonly stopped: AbortSignal
}

/** Returns the files of a project that prepare its checks. */
export function sampleFiles(
  { names }: Platform,
  invocation: Invocation,
  { cwd }: Context,
): { readonly project: string; readonly samples: SampleFile; readonly before: SampleFile } {
  const output = invocation.text('output')
  const project = output === undefined ? defaultProjectDirectory(names.kebab, cwd) : resolve(cwd, output)
  const file = (name: string): SampleFile => {
    const path = join(project, 'test', name)
    return { path, shown: stripEscapes(relative(cwd, path)) }
  }
  return { project, samples: file('samples.json'), before: file('before.ts') }
}

/**
 * Reads the samples of a project, and runs the code that prepares a platform at `gateway` (`host:port`) and may return
 * more. Returns `undefined` if the run is stopped meanwhile.
 *
 * @throws a `CommandError`: status 1 if samples do not fit the definition, 3 if a file cannot be read or its code fails.
 */
export async function loadSamples(
  platform: Platform,
  gateway: string,
  { invocation, context, stopped }: PreparedRun,
): Promise<Samples | undefined> {
  const { project, samples: file, before } = sampleFiles(platform, invocation, context)
  const samples = new Samples()
  const add = (json: Json, { shown }: SampleFile): void => {
    try {
      readSamples(json, platform, samples)
    } catch (error) {
      if (!(error instanceof SamplesError)) throw error
      throw new CommandError(EXIT.failed, `\`${shown}\`: ${error.message}`, error.help)
    }
  }
  if (isPresent(project, file)) add(parse(file), file)
  if (!isPresent(project, before)) return samples
  const step = context.step(`Running ${before.shown}`)
  try {
    const returned = await Promise.race([runBefore(before, `http://${gateway}`), aborted(stopped)])
    step.stop()
    if (stopped.aborted) return undefined
    if (returned !== undefined) add(returned, before)
    return samples
  } catch (error) {
    step.stop()
    throw error
  }
}

/** @throws a `CommandError` if the file is a link to one outside of the project. */
function isPresent(project: string, { path, shown }: SampleFile): boolean {
  if (!existsSync(path)) return false
  if (isSymlinkOutside(project, path)) throw environmentError(`\`${shown}\` is outside of the project`)
  return true
}

function parse({ path, shown }: SampleFile): Json {
  const text = readTextFile(shown, path).toString('utf8')
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    throw new CommandError(EXIT.failed, `\`${shown}\` is not JSON: ${(error as Error).message}`)
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((done) => {
    if (signal.aborted) done(undefined)
    signal.addEventListener('abort', () => done(undefined), { once: true })
  })
}

/** Runs the default export of a module. Returns its result as JSON would have it; `undefined` if it returns nothing. */
async function runBefore(file: SampleFile, gateway: string): Promise<Json | undefined> {
  const { href } = pathToFileURL(file.path)
  // It is a module whatever the nearest package.json says: a project in Go has none.
  const hooks = registerHooks({
    load: (url, about, next) => next(url, url === href ? { ...about, format: 'module-typescript' } : about),
  })
  try {
    const { default: before } = (await import(href)) as { default?: unknown }
    if (typeof before !== 'function') throw new Error('Expected a function as its default export')
    const returned: unknown = await before({ gateway })
    return returned === undefined ? undefined : (JSON.parse(JSON.stringify(returned)) as Json)
  } catch (error) {
    throw environmentError(`\`${file.shown}\`${lineOf(error, href)}: ${messageOf(error)}`)
  } finally {
    hooks.deregister()
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Where an error comes from: the first place in the file that its stack names. */
function lineOf(error: unknown, href: string): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const name = href.slice(href.lastIndexOf('/'))
  const [, line] = stack.split(name)[1]?.match(/^:(\d+)/) ?? []
  return line === undefined ? '' : `, line ${line}`
}
