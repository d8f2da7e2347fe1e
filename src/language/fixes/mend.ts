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

/** What other languages write around a type or a value is taken away, or made of brackets, on both sides. */
export const mendPair: QuickFix = (problem) => {
  const { start, end } = problem.diagnostic.range
  const text = markedText(problem)
  const closing = text === '<' ? '>' : text
  if (!['"', "'", '`', '<'].includes(text)) return mend(problem)
  const rest = /^[^;{}\r\n]*/.exec(problem.read.tree.text.slice(end.offset))?.[0] ?? ''
  const length = rest.indexOf(closing)
  if (length < 0) return mend(problem)
  const [opener, closer] = text === '<' ? ['(', ')'] : ['', '']
  const at = end.offset + length
  return [
    preferred(
      text === '<' ? 'Change to `(` and `)`' : 'Remove the quotes',
      replacing({ start: start.offset, end: end.offset }, opener),
      replacing({ start: at, end: at + 1 }, closer),
    ),
  ]
}
