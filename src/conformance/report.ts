import { counted, joined } from '../naming.ts'
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

/** How many messages of hooks are shown for each request and status. */
const SHOWN_MESSAGES = 2

/** Formats which checks were skipped because of hooks, by request and status. Empty if none were. */
export function hookLines(results: readonly CheckResult[], paint: Paint): string[] {
  const hooks = results.flatMap(({ hook }) => hook ?? [])
  if (hooks.length === 0) return []
  const groups = [...Map.groupBy(hooks, ({ request, status }) => `${request} responds with ${status}`)]
  const lines = groups
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([what, own]) => {
      const messages = [...new Set(own.map(({ error }) => JSON.stringify(error)))]
      const more = messages.length - SHOWN_MESSAGES
      const shown = [
        ...messages.slice(0, SHOWN_MESSAGES),
        ...(more > 0 ? [counted(more, 'other message')] : []),
      ]
      return `  ${paint.yellow('-')} ${counted(own.length, 'check')}: ${what} ${joined(shown, 'or')}`
    })
  return [paint.bold('Skipped because of hooks'), ...lines]
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
export function resultJson({ group, title, outcome, reason, hook, violation }: CheckResult): string {
  return JSON.stringify({
    group,
    check: title,
    outcome,
    ...(reason === undefined ? {} : { reason }),
    ...(hook === undefined ? {} : { hook }),
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
