import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestedPlatform } from '../conformance/test-context.ts'
import { type EmbeddedPlatform, startPlatform } from '../dev/platform.ts'
import { PlatformError } from '../dev/platform-error.ts'
import { removePostgresData } from '../dev/postgres.ts'
import { readText } from '../language/parse.ts'
import type { Overrides } from '../model/resolve.ts'
import type { Context } from './context.ts'
import { readCredential } from './credential-file.ts'
import type { DefinitionText } from './definition.ts'
import { EXIT } from './exit-status.ts'
import { environmentError } from './command-error.ts'
import { stripEscapes } from './terminal-text.ts'

/** How to start a temporary platform. */
export interface TemporaryPlatform {
  readonly definition: DefinitionText
  readonly overrides: Overrides
  readonly context: Context
  /** Stops the startup and the platform. */
  readonly stopped: AbortSignal
}

/**
 * Generates the definition into a temporary directory, starts the platform, passes it to `use`, and always removes
 * everything. Returns status 1 if a signal stops it before `use` is called.
 *
 * @throws a `CommandError` with status 3 if the platform does not start.
 */
export async function withTemporaryPlatform<Result>(
  temporary: TemporaryPlatform,
  use: (target: TestedPlatform) => Promise<Result>,
): Promise<Result | typeof EXIT.failed> {
  const directory = await mkdtemp(join(tmpdir(), 'portico-test-'))
  const output = join(directory, 'platform')
  const state = join(output, '.portico', 'dev')
  let running: EmbeddedPlatform | undefined
  try {
    running = await start(temporary, join(directory, 'definition.portico'), output)
    const credential = running.platform().authentication
      ? readCredential('gateway-credentials.json', state)
      : undefined
    return await use({ gateway: running.gateway, isolated: true, credential })
  } catch (error) {
    if (temporary.stopped.aborted) return EXIT.failed
    throw error
  } finally {
    await running?.stop()
    // The database may have been placed outside the directory.
    await removePostgresData(join(state, 'postgres'))
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function start(
  { definition, overrides, context, stopped }: TemporaryPlatform,
  file: string,
  output: string,
): Promise<EmbeddedPlatform> {
  await writeFile(file, readText(definition.text, definition.folder).standaloneText)
  const step = context.step('Starting the platform')
  try {
    const running = await startPlatform({
      definition: file,
      output,
      overrides,
      signal: stopped,
      onEvent: (event) => {
        if (event.kind === 'progress') step.update(event.text)
        if (event.kind === 'problem')
          context.report(`${event.service ?? 'portico'}: ${stripEscapes(event.text)}`)
      },
    })
    step.stop()
    return running
  } catch (error) {
    step.fail('Could not start the platform')
    throw error instanceof PlatformError ? environmentError(error.message, error.help) : error
  }
}
