import { counted } from '../model/names.ts'
import type { Result, Summary } from './check.ts'
import { showAnswer, showRequest } from './exchange.ts'

/** Colours for marks, or functions that leave text alone. */
export interface Paint {
  readonly green: (text: string) => string
  readonly red: (text: string) => string
  readonly yellow: (text: string) => string
  readonly bold: (text: string) => string
}

/** The results of one or more groups as lines, each group under its name. With `failuresOnly` the others are left out. */
export function resultLines(results: readonly Result[], paint: Paint, failuresOnly: boolean): string[] {
  const shown = failuresOnly ? results.filter(({ outcome }) => outcome === 'failed') : results
  return [...Map.groupBy(shown, ({ group }) => group)].flatMap(([group, own]) => [
    paint.bold(group),
    ...own.flatMap((result) => oneResult(result, paint)),
  ])
}

/** `213 checks: 210 passed, 1 failed, 2 skipped (3120 requests)`. */
export function countLine({ results, requests }: Summary): string {
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length
  const [failed, skipped] = [count('failed'), count('skipped')]
  const parts = [`${count('passed')} passed`]
  if (failed > 0) parts.push(`${failed} failed`)
  if (skipped > 0) parts.push(`${skipped} skipped`)
  return `${counted(results.length, 'check')}: ${parts.join(', ')} (${counted(requests, 'request')})`
}

/** One result as a line of JSON. */
export function resultJson({ group, sentence, outcome, reason, shortfall }: Result): string {
  return JSON.stringify({
    group,
    check: sentence,
    outcome,
    ...(reason === undefined ? {} : { reason }),
    ...(shortfall === undefined
      ? {}
      : {
          expected: shortfall.expected,
          ...(shortfall.exchange
            ? {
                request: showRequest(shortfall.exchange.request),
                answer: showAnswer(shortfall.exchange.answer),
              }
            : {}),
        }),
  })
}

function oneResult({ sentence, outcome, reason, shortfall }: Result, paint: Paint): string[] {
  if (outcome === 'passed') return [`  ${paint.green('✔')} ${sentence}`]
  if (outcome === 'skipped') return [`  ${paint.yellow('-')} ${sentence} (skipped: ${reason})`]
  const lines = [`  ${paint.red('✖')} ${sentence}`]
  if (!shortfall) return lines
  if (shortfall.exchange) {
    lines.push(`      request:  ${showRequest(shortfall.exchange.request)}`)
    lines.push(`      answer:   ${showAnswer(shortfall.exchange.answer)}`)
  }
  lines.push(`      expected: ${shortfall.expected}`)
  return lines
}
