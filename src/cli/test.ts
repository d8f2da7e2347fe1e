import { compile } from '../compile.ts'
import type { Check, Summary, Target } from '../conformance/check.ts'
import { derive } from '../conformance/derive.ts'
import { countLine, resultJson, resultLines } from '../conformance/report.ts'
import { runChecks } from '../conformance/run.ts'
import type { Platform } from '../model/platform.ts'
import { overridesOf, requireAvailable } from './availability.ts'
import type { Invocation, RunCommand } from './command.ts'
import type { Context } from './context.ts'
import { readCredential } from './credential-file.ts'
import { readDefinition } from './definition.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { surroundingsFailure, usageFailure } from './failure.ts'
import { parentIsGone } from './parent.ts'
import { reportDiagnostics } from './report.ts'
import { withOwnPlatform } from './test-platform.ts'

/** `portico test`: checks a platform from the outside, one that runs or one of its own. */
export const run: RunCommand = async (invocation, context) => {
  const running = runningTarget(invocation, context)
  const definition = await readDefinition(invocation.operands[0] ?? '', context)
  const overrides = overridesOf(invocation)
  const { diagnostics, platform } = compile(definition.text, overrides)
  reportDiagnostics({ definition, diagnostics }, context, 'text')
  if (platform === undefined) return EXIT.failed
  const stopped = AbortSignal.any([context.signal, parentIsGone(context.env)])
  const test = (target: Target): Promise<ExitStatus> =>
    testPlatform(platform, target, { invocation, context, stopped })
  if (running !== undefined) {
    await requireAnswer(running.gateway)
    return test(running)
  }
  requireAvailable(platform, overrides, 'language')
  return withOwnPlatform({ definition, overrides, context, stopped }, test)
}

interface TestRun {
  readonly invocation: Invocation
  readonly context: Context
  /** Ends the run early. */
  readonly stopped: AbortSignal
}

/** Results are printed as they come, so that they show what it is at. */
async function testPlatform(
  platform: Platform,
  target: Target,
  { invocation, context, stopped }: TestRun,
): Promise<ExitStatus> {
  const checks = derive(platform)
  const json = invocation.text('format') === 'json'
  context.say(`Checking ${target.gateway}`)
  const summary = await runChecks(platform, checks, target, {
    signal: stopped,
    onSequence: (results) => {
      const lines = json ? results.map(resultJson) : resultLines(results, context.resultColors, context.quiet)
      for (const line of lines) context.print(line)
    },
  })
  const status = verdict(checks, summary)
  if (!json && !(context.quiet && status === EXIT.done)) context.print(countLine(summary))
  if (summary.results.length < checks.length) context.report('Stopped before all was checked.')
  return status
}

function verdict(checks: readonly Check[], { results }: Summary): ExitStatus {
  const complete = results.length === checks.length
  return complete && results.every(({ outcome }) => outcome !== 'failed') ? EXIT.done : EXIT.failed
}

/** The platform that `--gateway` names; `undefined` where the command is to run one of its own. */
function runningTarget(invocation: Invocation, context: Context): Target | undefined {
  const gateway = invocation.text('gateway')
  const file = invocation.text('credentials')
  if (gateway === undefined) {
    if (file !== undefined) throw usageFailure('`--credentials` is of use with `--gateway` alone.')
    return undefined
  }
  if (!/^([A-Za-z0-9._-]+|\[[0-9a-fA-F:.]+\])(:\d{1,5})?$/.test(gateway))
    throw usageFailure(
      `\`${gateway}\` is no gateway.`,
      'It takes a host and a port, such as `localhost:8080`.',
    )
  return {
    gateway,
    pristine: false,
    credential: file === undefined ? undefined : readCredential(file, context.cwd),
  }
}

async function requireAnswer(gateway: string): Promise<void> {
  try {
    await fetch(`http://${gateway}/`, { redirect: 'manual' })
  } catch {
    throw surroundingsFailure(
      `Nothing answers at ${gateway}.`,
      'Start the platform first, with `portico dev` or as it is deployed.',
    )
  }
}
