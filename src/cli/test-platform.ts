import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Target } from '../conformance/check.ts'
import { type EmbeddedPlatform, startPlatform } from '../dev/platform.ts'
import { PostgresError, removePostgresData } from '../dev/postgres.ts'
import { PlatformProblem } from '../dev/problem.ts'
import type { Overrides } from '../model/resolve.ts'
import type { Context } from './context.ts'
import { readCredential } from './credential-file.ts'
import type { DefinitionText } from './definition.ts'
import { EXIT } from './exit-status.ts'
import { surroundingsFailure } from './failure.ts'

/** What a platform of the command's own is made of. */
export interface OwnPlatform {
  readonly definition: DefinitionText
  readonly overrides: Overrides
  readonly context: Context
  /** Ends the start and what runs. */
  readonly stopped: AbortSignal
}

/**
 * Generates the definition into a temporary directory, runs it, gives it to `use`, and removes every trace of
 * it, whatever happens. Gives status 1 where it was told to stop before `use` was called.
 *
 * @throws a `Failure` of status 3 where it does not start.
 */
export async function withOwnPlatform<Result>(
  own: OwnPlatform,
  use: (target: Target) => Promise<Result>,
): Promise<Result | typeof EXIT.failed> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-own-platform-'))
  const output = join(directory, 'platform')
  const state = join(output, '.portico', 'dev')
  let running: EmbeddedPlatform | undefined
  try {
    running = await start(own, join(directory, 'definition.portico'), output)
    const credential = running.platform().authentication
      ? readCredential('gateway-credentials.json', state)
      : undefined
    return await use({ gateway: running.gateway, pristine: true, credential })
  } catch (error) {
    if (own.stopped.aborted) return EXIT.failed
    throw error
  } finally {
    await running?.stop()
    // Where the database could not lie in the directory, it lies elsewhere.
    await removePostgresData(join(state, 'postgres'))
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function start(
  { definition, overrides, context, stopped }: OwnPlatform,
  file: string,
  output: string,
): Promise<EmbeddedPlatform> {
  await writeFile(file, definition.text)
  const step = context.step('Starting a platform')
  try {
    const running = await startPlatform({
      definition: file,
      output,
      overrides,
      signal: stopped,
      onEvent: (event) => {
        if (event.kind === 'progress') step.update(event.text)
        if (event.kind === 'problem') context.report(`${event.service ?? 'portico'}: ${event.text}`)
      },
    })
    step.stop()
    return running
  } catch (error) {
    step.fail('The platform did not start')
    if (error instanceof PlatformProblem) throw surroundingsFailure(error.message, error.advice)
    throw error instanceof PostgresError ? surroundingsFailure(error.message) : error
  }
}
