import { replacing } from './edits.ts'
import { markedText } from './around.ts'
import { alternative, type Fix, preferred, type QuickFix } from './fix.ts'

/** The replacement or insertion that the check itself knows. */
export const mend: QuickFix = (problem) => {
  const { data, range } = problem.diagnostic
  const place = { start: range.start.offset, end: range.end.offset }
  if (data?.insertion !== undefined)
    return [
      preferred(`Insert \`${data.insertion.trim()}\``, {
        start: place.end,
        end: place.end,
        text: data.insertion,
      }),
    ]
  if (data?.replacement === undefined) return []
  const edit = replacing(place, data.replacement)
  return data.replacement === ''
    ? [removal(problem, edit)]
    : [preferred(`Change to \`${data.replacement}\``, edit)]
}

/** The same, not as the likeliest way. */
export const possibleMend: QuickFix = (problem) =>
  mend(problem).map(({ title, edits }) => alternative(title, ...edits))

function removal(problem: Parameters<QuickFix>[0], edit: ReturnType<typeof replacing>): Fix {
  const text = markedText(problem)
  return preferred(text.length > 40 || text.includes('\n') ? 'Remove this' : `Remove \`${text}\``, edit)
}
