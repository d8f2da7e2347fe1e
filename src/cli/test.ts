import type { Check, RunSummary } from '../conformance/check.ts'
import type { TestedPlatform } from '../conformance/test-context.ts'
import { deriveChecks } from '../conformance/derive-checks.ts'
import { countLine, hookLines, resultJson, resultLines } from '../conformance/report.ts'
import { runChecks } from '../conformance/run.ts'
import type { Platform } from '../model/platform.ts'
import { targetOverrides } from './generation-targets.ts'
import type { Invocation, RunCommand } from './command.ts'
import type { Context } from './context.ts'
import { readCredential } from './credential-file.ts'
import { compileText, readDefinition } from './definition.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { environmentError, usageError } from './command-error.ts'
import { parentExitSignal } from './parent-process.ts'
import { withTemporaryPlatform } from './test-platform.ts'
import { loadSamples, sampleFiles } from './test-samples.ts'

/** A host name, an IPv4 address or an IPv6 address in brackets, and a port. */
const GATEWAY = /^(?:[A-Za-z0-9._-]+|\[[0-9a-fA-F:.]+\]):(\d{1,5})$/

/** `portico test`: tests a running platform, or starts one to test. */
export const run: RunCommand = async (invocation, context) => {
  const running = runningTarget(invocation, context)
  const definition = await readDefinition(invocation.operands[0] ?? '', context)
  const overrides = targetOverrides(invocation)
  const platform = compileText(definition, context, overrides)
  if (platform === undefined) return EXIT.failed
  const stopped = AbortSignal.any([context.signal, parentExitSignal(context.env)])
  const test = (target: TestedPlatform): Promise<ExitStatus> =>
    testPlatform(platform, target, { invocation, context, stopped })
  if (running !== undefined) {
    await requireConnection(running.gateway)
    const samples = await loadSamples(platform, running.gateway, { invocation, context, stopped })
    return samples === undefined ? EXIT.failed : test({ ...running, samples })
  }
  return withTemporaryPlatform({ definition, overrides, context, stopped }, test)
}

interface TestRun {
  readonly invocation: Invocation
  readonly context: Context
  /** Stops the run. */
  readonly stopped: AbortSignal
}

/** Prints results as they arrive, which also shows the progress. */
async function testPlatform(
  platform: Platform,
  target: TestedPlatform,
  { invocation, context, stopped }: TestRun,
): Promise<ExitStatus> {
  const checks = deriveChecks(platform, target.samples)
  const json = invocation.text('format') === 'json'
  context.say(`Checking ${target.gateway}`)
  const summary = await runChecks(platform, checks, target, {
    signal: stopped,
    onSequence: (results) => {
      const lines = json ? results.map(resultJson) : resultLines(results, context.resultColors, context.quiet)
      for (const line of lines) context.print(line)
    },
  })
  const status = exitStatus(checks, summary)
  if (!json && !context.quiet) printHooks(summary, platform, { invocation, context })
  if (!json && !(context.quiet && status === EXIT.success)) context.print(countLine(summary))
  if (summary.results.length < checks.length) context.report('Stopped before all checks had run')
  return status
}

/** Says which checks hooks made skip, and how to run them. */
function printHooks(
  { results }: RunSummary,
  platform: Platform,
  { invocation, context }: Pick<TestRun, 'invocation' | 'context'>,
): void {
  const lines = hookLines(results, context.resultColors)
  if (lines.length === 0) return
  for (const line of lines) context.print(line)
  const { samples, before } = sampleFiles(platform, invocation, context)
  context.print(
    `    To run them, list values that the hooks accept in \`${samples.shown}\`, or return them from \`${before.shown}\``,
  )
}

function exitStatus(checks: readonly Check[], { results }: RunSummary): ExitStatus {
  const complete = results.length === checks.length
  return complete && results.every(({ outcome }) => outcome !== 'failed') ? EXIT.success : EXIT.failed
}

/** Returns the platform of `--gateway`; `undefined` if the command starts one itself. */
function runningTarget(invocation: Invocation, context: Context): TestedPlatform | undefined {
  const gateway = invocation.text('gateway')
  const file = invocation.text('credentials')
  if (gateway === undefined) {
    for (const option of ['credentials', 'output'])
      if (invocation.text(option) !== undefined) throw usageError(`\`--${option}\` requires \`--gateway\``)
    return undefined
  }
  const port = Number(GATEWAY.exec(gateway)?.[1])
  if (!(port > 0 && port <= 65_535))
    throw usageError('`--gateway` takes host:port, for example `localhost:8080`')
  return {
    gateway,
    isolated: false,
    credential: file === undefined ? undefined : readCredential(file, context.cwd),
  }
}

async function requireConnection(gateway: string): Promise<void> {
  try {
    await fetch(`http://${gateway}/`, { redirect: 'manual' })
  } catch {
    throw environmentError(
      `Could not connect to ${gateway}`,
      'start the platform, for example with `portico dev`',
    )
  }
}
