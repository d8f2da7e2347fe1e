import { isArgument, isMetadata, type Metadata } from '../generated/ast.ts'
import { isTypo } from '../spelling.ts'
import { otherLanguages } from '../other-languages.ts'
import { isInEnum } from '../parser/syntax-errors.ts'
import { type Edit, hasComments, inserting, replacing } from './edits.ts'
import { enclosing, diagnosticText } from './enclosing.ts'
import { alternative, type Fix, type FixContext, preferred, type QuickFix } from './fix.ts'

/** The replacement or insertion that the check suggests. */
export const applySuggestion: QuickFix = (context) => {
  const { data, range } = context.diagnostic
  const place = { start: range.start.offset, end: range.end.offset }
  if (data?.insertion !== undefined) {
    // Two words in an `enum` may also be one value.
    const isOneValue = data.insertion === ',' && isInEnum(context.result.text, place.end)
    const fix = isOneValue ? alternative : preferred
    return [fix(`Insert \`${data.insertion.trim()}\``, inserting(place.end, data.insertion))]
  }
  if (data?.replacement === undefined) return []
  const edit = replacing(place, data.replacement)
  return data.replacement === ''
    ? [removal(context, edit)]
    : [
        (isCertain(context, data.replacement) && !hasComments(context.result, place)
          ? preferred
          : alternative)(`Change to ${shownReplacement(context, data.replacement)}`, edit),
      ]
}

/** The same as one of several alternatives. */
export const applySuggestionPossibly: QuickFix = (context) =>
  applySuggestion(context).map(({ title, edits }) => alternative(title, ...edits))

/** Whether a replacement is preferred. A similar name is, only if it is a likely typo; other replacements always are. */
function isCertain(context: FixContext, replacement: string): boolean {
  const { code } = context.diagnostic
  const isLookedUp =
    code === 'wrong-default-kind' ||
    code === 'unreadable-import' ||
    (code.startsWith('unknown-') && code !== 'unknown-block-kind')
  const written = unquoted(diagnosticText(context))
  // For an argument, the suggestion may also be the only parameter that begins with its name: `maxLength` for `max`.
  const isBeginning = code === 'unknown-argument' && replacement.startsWith(written)
  return !isLookedUp || isBeginning || isTypo(written, unquoted(replacement))
}

/** The content of a string: a default with or without quotes is the same word. */
function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/, '$1')
}

/** The replacement in a title: names of metadata with their `#`, values with their metadata. */
function shownReplacement({ diagnostic: { code }, node }: FixContext, replacement: string): string {
  const metadata = enclosing({ node }, isMetadata)
  if (code === 'unknown-annotation') return `\`@${replacement}\``
  if (code === 'unknown-metadata') return `\`#${replacement}\``
  if (metadata !== undefined && (code === 'unknown-value' || code === 'unknown-role'))
    return valueIn(metadata, replacement)
  const isWhole = enclosing({ node }, isArgument) === undefined
  if (metadata !== undefined && code === 'wrong-argument-kind' && isWhole)
    return `\`#${metadata.name}${replacement}\``
  return `\`${replacement}\``
}

/** A value with its metadata, for a title. */
export function valueIn({ name }: Metadata, value: string): string {
  return `\`${value}\` in \`#${name}\``
}

/** Quotes, punctuation, and characters that nobody sees. */
const MEANINGLESS = /^["'`;,:?(){}[\]\p{C}\p{Z}]*$/u
/** The end of a type with its arguments. */
const TYPE_END = /:\s*\w+\s*(?:\([^()]*\)\s*)?$/

/** Removes the text. The fix is preferred if the text means nothing, as the `!` of a required attribute. */
function removal(context: FixContext, edit: Edit): Fix {
  const text = diagnosticText(context)
  const before = context.result.text.slice(Math.max(0, edit.start - 80), edit.start)
  const isMeaningless = MEANINGLESS.test(text) || (text === '!' && TYPE_END.test(before))
  const isShown = text.length <= 40 && !/[\n`]/.test(text)
  return (isMeaningless ? preferred : alternative)(isShown ? `Remove \`${text}\`` : 'Remove', edit)
}

/** What closes an opening character. */
const CLOSING: Readonly<Record<string, string>> = {
  '<': '>',
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '„': '“',
  '‘': '’',
  '«': '»',
}

/** Removes or corrects quotes around a value, and replaces `<` and `>` with parentheses. */
export const replacePair: QuickFix = (context) => {
  const { start, end } = context.diagnostic.range
  const text = diagnosticText(context)
  const closing = CLOSING[text]
  const [word] = /\w*$/.exec(context.result.text.slice(Math.max(0, start.offset - 80), start.offset)) ?? ['']
  if (text === '<' && otherLanguages.type(word) !== undefined) return []
  if (closing === undefined) return applySuggestion(context)
  const rest = /^[^;{}\r\n]*/.exec(context.result.text.slice(end.offset))?.[0] ?? ''
  const length = rest.indexOf(closing)
  if (length < 0) return applySuggestion(context)
  const isDefault = /=\s*$/.test(context.result.text.slice(0, start.offset))
  const [open, close] = text === '<' ? ['(', ')'] : isDefault ? ['"', '"'] : ['', '']
  const at = end.offset + length
  return [
    preferred(
      text === '<'
        ? 'Replace `<` and `>` with `(` and `)`'
        : isDefault
          ? 'Use double quotes'
          : 'Remove quotes',
      replacing({ start: start.offset, end: end.offset }, open),
      replacing({ start: at, end: at + 1 }, close),
    ),
  ]
}
