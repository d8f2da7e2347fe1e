import path from 'node:path'
import type { PlatformOptions } from '../dev/platform.ts'
import { startPlatform } from '../dev/platform.ts'
import { InvalidDefinitionError, PlatformError } from '../dev/platform-error.ts'
import type { Answers, Questions } from '../dev/questions.ts'
import { targetOverrides } from './generation-targets.ts'
import { readBackfills, rejectBackfills } from './backfills.ts'
import { readRemovals } from './data-loss.ts'
import type { Invocation, RunCommand } from './command.ts'
import type { Context } from './context.ts'
import { createDevLog, type DevLog } from './dev-log.ts'
import { devSummary } from './dev-summary.ts'
import { EXIT } from './exit-status.ts'
import { CommandError, usageError } from './command-error.ts'
import { STANDARD_INPUT, readDefinition } from './definition.ts'
import { parentExitSignal } from './parent-process.ts'
import { loadPrompts, type Prompts } from './prompts.ts'

/** `portico dev`: runs the platform until a signal stops it. */
export const run: RunCommand = async (invocation, context) => {
  const start = performance.now()
  const file = invocation.operands[0] ?? ''
  if (file === STANDARD_INPUT) throw usageError('`portico dev` cannot read standard input', 'pass a file')
  const options = platformOptions(file, invocation, context)
  const { name } = await readDefinition(file, context)
  const log = createDevLog(name, context)
  const cancellation = new AbortController()
  const stopped = AbortSignal.any([context.signal, parentExitSignal(context.env), cancellation.signal])
  const questions = (signal: AbortSignal): Questions =>
    openQuestions(log, context, signal, () => cancellation.abort())
  try {
    const platform = await startPlatform({
      ...options,
      ...(context.interactive ? { questions } : {}),
      signal: stopped,
      onEvent: log.show,
    })
    const seconds = (performance.now() - start) / 1000
    log.ready(devSummary(platform, seconds, context.colors))
    context.print(`GATEWAY_ENTRY=${platform.gateway}`)
    await aborted(stopped)
    log.end()
    await platform.stop()
    return EXIT.success
  } catch (error) {
    log.end()
    if (stopped.aborted) return EXIT.success
    if (error instanceof InvalidDefinitionError) return EXIT.failed
    throw toFailure(error)
  }
}

function platformOptions(file: string, invocation: Invocation, context: Context): PlatformOptions {
  const overrides = targetOverrides(invocation)
  const output = invocation.text('output')
  return {
    definition: path.resolve(context.cwd, file),
    ...(output === undefined ? {} : { output: path.resolve(context.cwd, output) }),
    port: invocation.integer('port') ?? 8080,
    corsOrigins: corsOrigins(invocation),
    fresh: invocation.flag('fresh'),
    watch: invocation.flag('watch'),
    openApi: invocation.flag('openapi'),
    overrides,
    answers: answersOf(invocation),
  }
}

/** @throws a `CommandError` with status 2 if a value of `--backfill` is not written as one. */
function answersOf(invocation: Invocation): Answers {
  const { answers, malformed } = readBackfills(invocation)
  rejectBackfills(malformed)
  return { backfills: answers, ...readRemovals(invocation) }
}

/** An origin that the gateway of a deployment also accepts. */
const ORIGIN = /^https?:\/\/[a-z0-9.:_-]+$/

/** @throws a `CommandError` with status 2 if the value of `--cors` is not a list of origins. */
function corsOrigins(invocation: Invocation): readonly string[] {
  const origins =
    invocation
      .text('cors')
      ?.split(',')
      .map((origin) => origin.trim()) ?? []
  for (const origin of origins)
    if (!ORIGIN.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin)
      throw usageError(
        `Invalid value \`${origin}\` for \`--cors\``,
        'list origins such as `https://app.example.com`, separated by commas',
      )
  return origins
}

/** Questions in place of the log. Ctrl-C stops the platform, as it does at any other time. */
function openQuestions(log: DevLog, context: Context, signal: AbortSignal, onCancel: () => void): Questions {
  async function ask<Answer>(put: (prompts: Prompts) => Promise<Answer>): Promise<Answer> {
    const release = log.hold()
    try {
      return await put(await loadPrompts(context, signal))
    } catch (error) {
      if (error instanceof CommandError) onCancel()
      throw error
    } finally {
      release()
    }
  }
  return {
    text: (question) => ask((prompts) => prompts.text(question)),
    confirm: (question) => ask((prompts) => prompts.confirm({ ...question, default: false })),
    choose: (question) => ask((prompts) => prompts.choose(question)),
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function toFailure(error: unknown): unknown {
  if (!(error instanceof PlatformError)) return error
  return new CommandError(error.kind === 'usage' ? EXIT.usage : EXIT.environment, error.message, error.help)
}
