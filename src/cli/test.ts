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
  requireAvailable(platform, overrides, 'language')
  const test = (target: Target): Promise<ExitStatus> => testPlatform(platform, target, invocation, context)
  if (running === undefined) return withOwnPlatform({ definition, overrides, context }, test)
  await requireAnswer(running.gateway)
  return test(running)
}

async function testPlatform(
  platform: Platform,
  target: Target,
  invocation: Invocation,
  context: Context,
): Promise<ExitStatus> {
  const checks = derive(platform)
  const json = invocation.text('format') === 'json'
  const step = context.step(`Checking ${target.gateway}`)
  let done = 0
  const print = (lines: readonly string[]): void => lines.forEach((line) => context.print(line))
  const summary = await runChecks(platform, checks, target, {
    signal: context.signal,
    onSequence: (results) => {
      done += results.length
      step.update(`Checking ${target.gateway}: ${done} of ${checks.length}`)
      if (json) print(results.map(resultJson))
      else print(resultLines(results, context.resultColors, context.quiet))
    },
  })
  step.stop()
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
