import path from 'node:path'
import type { Platform } from '../model/platform.ts'
import type { PlatformOptions } from '../dev/platform.ts'
import { InvalidDefinition, startPlatform } from '../dev/platform.ts'
import { PostgresError } from '../dev/postgres.ts'
import { PlatformProblem } from '../dev/problem.ts'
import type { SchemaChange } from '../dev/schema-question.ts'
import { overridesOf, requireAvailable } from './availability.ts'
import type { Invocation, RunCommand } from './command.ts'
import type { Context } from './context.ts'
import { createDevLog } from './dev-log.ts'
import { devSummary } from './dev-summary.ts'
import { EXIT } from './exit-status.ts'
import { Failure, surroundingsFailure } from './failure.ts'
import { parentIsGone } from './parent.ts'
import { loadPrompts } from './prompts.ts'

/** `portico dev`: runs the platform until it is told to stop. */
export const run: RunCommand = async (invocation, context) => {
  const began = performance.now()
  const file = invocation.operands[0] ?? ''
  const log = createDevLog(file, context)
  const stopped = AbortSignal.any([context.signal, parentIsGone(context.env)])
  try {
    const platform = await startPlatform({
      ...platformOptions(file, invocation, context),
      signal: stopped,
      onEvent: log.show,
    })
    const seconds = (performance.now() - began) / 1000
    log.ready(devSummary(platform.platform(), platform.explorer, seconds, context.colors))
    context.print(`GATEWAY_ENTRY=${platform.gateway}`)
    const failure = await Promise.race([platform.failed, aborted(stopped)])
    log.end()
    if (failure !== undefined) throw failure
    await platform.stop()
    return EXIT.done
  } catch (error) {
    log.end()
    if (stopped.aborted) return EXIT.done
    if (error instanceof InvalidDefinition) return EXIT.failed
    throw toFailure(error)
  }
}

function platformOptions(file: string, invocation: Invocation, context: Context): PlatformOptions {
  const overrides = overridesOf(invocation)
  const output = invocation.text('output')
  return {
    definition: path.resolve(context.cwd, file),
    ...(output === undefined ? {} : { output: path.resolve(context.cwd, output) }),
    port: invocation.integer('port') ?? 8080,
    fresh: invocation.flag('fresh'),
    watch: invocation.flag('watch'),
    openApi: invocation.flag('openapi'),
    overrides,
    accept: (platform: Platform) => requireAvailable(platform, overrides, 'language'),
    ...(context.interactive ? { confirmEmptying: (changes) => confirmEmptying(changes, context) } : {}),
  }
}

async function confirmEmptying(changes: readonly SchemaChange[], context: Context): Promise<boolean> {
  context.report('The schema changed, and these databases were made with the old one:')
  for (const { service, changes: tables } of changes) {
    context.report(`  ${context.colors.bold(service)}`)
    for (const table of tables) context.report(`    ${table}`)
  }
  const prompts = await loadPrompts(context)
  const names = changes.map(({ service }) => service).join(', ')
  return prompts.confirm({ message: `Empty the database of ${names}?`, default: false })
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}

function toFailure(error: unknown): unknown {
  if (error instanceof PlatformProblem)
    return new Failure(error.kind === 'answer' ? EXIT.usage : EXIT.surroundings, error.message, error.advice)
  return error instanceof PostgresError ? surroundingsFailure(error.message) : error
}
