import { counted } from '../naming.ts'
import type { CheckResult, RunSummary } from './check.ts'
import { showResponse, showRequest } from './exchange.ts'

/** Functions that color text, or return it unchanged. */
interface Paint {
  readonly green: (text: string) => string
  readonly red: (text: string) => string
  readonly yellow: (text: string) => string
  readonly bold: (text: string) => string
}

/** Formats results as lines, grouped. With `failuresOnly` omits the others. */
export function resultLines(results: readonly CheckResult[], paint: Paint, failuresOnly: boolean): string[] {
  const shown = failuresOnly ? results.filter(({ outcome }) => outcome === 'failed') : results
  return [...Map.groupBy(shown, ({ group }) => group)].flatMap(([group, own]) => [
    paint.bold(group),
    ...own.flatMap((result) => oneResult(result, paint)),
  ])
}

/** `213 checks: 210 passed, 1 failed, 2 skipped (3120 requests)`. */
export function countLine({ results, requests }: RunSummary): string {
  const count = (outcome: CheckResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length
  const [failed, skipped] = [count('failed'), count('skipped')]
  const parts = [`${count('passed')} passed`]
  if (failed > 0) parts.push(`${failed} failed`)
  if (skipped > 0) parts.push(`${skipped} skipped`)
  return `${counted(results.length, 'check')}: ${parts.join(', ')} (${counted(requests, 'request')})`
}

/** Formats a result as a line of JSON. */
export function resultJson({ group, title, outcome, reason, violation }: CheckResult): string {
  return JSON.stringify({
    group,
    check: title,
    outcome,
    ...(reason === undefined ? {} : { reason }),
    ...(violation === undefined
      ? {}
      : {
          expected: violation.expected,
          ...(violation.exchange
            ? {
                request: showRequest(violation.exchange.request),
                response: showResponse(violation.exchange.response),
              }
            : {}),
        }),
  })
}

function oneResult({ title, outcome, reason, violation }: CheckResult, paint: Paint): string[] {
  if (outcome === 'passed') return [`  ${paint.green('✔')} ${title}`]
  if (outcome === 'skipped') return [`  ${paint.yellow('-')} ${title} (skipped: ${reason})`]
  const lines = [`  ${paint.red('✖')} ${title}`]
  if (!violation) return lines
  if (violation.exchange) {
    lines.push(`      request:  ${showRequest(violation.exchange.request)}`)
    lines.push(`      response: ${showResponse(violation.exchange.response)}`)
  }
  lines.push(`      expected: ${violation.expected}`)
  return lines
}
