/** Maximum length of a line of generated code, as configured for the formatter. */
export const LINE_WIDTH = 110
const INDENT = '  '

/** A list in brackets: on one line if it fits, otherwise with one item per line. */
export interface List {
  readonly open: string
  readonly items: readonly Code[]
  readonly close: string
  /** Between the brackets and the items on one line: `{ a }`. */
  readonly padding: '' | ' '
  /** After the last item, if the list takes several lines. */
  readonly trailing: '' | ','
  /** Takes several lines even if it fits on one. */
  readonly expanded: boolean
}

/** A value after its head if it fits, otherwise indented on the next line. */
interface Hanging {
  readonly head: string
  readonly value: Code
  /** Goes to the next line even if the value can be broken. */
  readonly moves: boolean
}

/** Calls on one line if they fit and none takes several lines, otherwise each on its own line. */
interface Chain {
  readonly head: string
  /** `.from(table)`. */
  readonly calls: readonly Code[]
  /** Takes several lines even if it fits on one. */
  readonly expanded: boolean
}

type Group = List | Hanging | Chain

/** Code whose lines, except the first, are indented once more than the code around it. */
interface Shifted {
  readonly shifted: Code
}

/** Text with groups, which are laid out when it is printed. */
export type Code = string | Group | Shifted | readonly Code[]

/** Arguments, parameters or the elements of an array: `(a, b)`, `[a, b]`. */
export function list(open: string, items: readonly Code[], close: string): List {
  return { open, items, close, padding: '', trailing: ',', expanded: false }
}

/** A call: `name(a, b)`. */
export function call(name: string, ...values: readonly Code[]): List {
  return list(`${name}(`, values, ')')
}

/** Names in braces, as in an import: `{ a, b }`. */
export function braces(items: readonly Code[]): List {
  return { open: '{', items, close: '}', padding: ' ', trailing: ',', expanded: false }
}

/** An object literal or type with one property per line. Without properties it is `{}`. */
export function object(items: readonly Code[]): List {
  return { open: '{', items, close: '}', padding: ' ', trailing: ',', expanded: items.length > 0 }
}

/** `head value`, with the value on the next line if it does not fit. */
export function hanging(head: string, value: Code): Hanging {
  return { head, value, moves: false }
}

/** The same for a call without arguments, which moves to the next line before it is broken. */
export function moving(head: string, value: Code): Hanging {
  return { head, value, moves: true }
}

/** Three or more chained calls: `head.a().b().c()`. */
export function chain(head: string, ...calls: readonly Code[]): Chain {
  return { head, calls, expanded: false }
}

/** Text with groups in it: code`import ${braces(names)} from '${module}'`. */
export function code(texts: TemplateStringsArray, ...values: readonly Code[]): Code {
  const pieces: Code[] = []
  for (const [index, text] of texts.entries()) {
    if (text !== '') pieces.push(text)
    const value = values[index]
    if (value !== undefined) pieces.push(value)
  }
  return pieces
}

/** `head {`, the statements on indented lines, and `}`. An empty statement is a blank line. */
export function block(head: Code, statements: readonly Code[], open = ' {'): Code {
  const lines = statements.flatMap((statement, index): Code[] => {
    if (statement === '') return []
    const isAfterBlank = index > 0 && statements[index - 1] === ''
    return [isAfterBlank ? `\n\n${INDENT}` : `\n${INDENT}`, shifted(statement)]
  })
  return [head, open, ...lines, '\n}']
}

/** Indents all lines but the first. */
const shifted = (value: Code): Shifted => ({ shifted: value })

/** Joins pieces with a separator. */
export function join(pieces: readonly Code[], separator: string): Code {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece]))
}

/**
 * Lays out code in lines of at most 110 columns, as the formatter would. Broken groups are indented relative to the
 * line on which they start. A line that is too long but contains no group is not broken.
 */
export function print(source: Code): string {
  const output: string[] = []
  /** The length of the line so far, and of the spaces at its start. */
  let length = 0
  let spaces = 0
  /** The indentation of shifted code. */
  let shift = ''
  const pending: Code[] = [source]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') {
      if (next.includes('\n')) {
        const text = shift === '' ? next : next.replaceAll(LINE_BREAK, `\n${shift}`)
        output.push(text)
        const start = text.lastIndexOf('\n') + 1
        length = text.length - start
        spaces = spacesAt(text, start)
      } else {
        output.push(next)
        if (spaces === length) spaces += spacesAt(next, 0)
        length += next.length
      }
    } else if (isSequence(next)) pushReversed(pending, next)
    else if (next === END_OF_SHIFT) shift = shift.slice(INDENT.length)
    else if ('shifted' in next) {
      shift += INDENT
      pending.push(END_OF_SHIFT, next.shifted)
    } else {
      // Pieces are shifted when they are printed.
      const indent = ' '.repeat(Math.max(0, spaces - shift.length))
      const pieces = fitted(length, next, pending) ?? hugged(length, next, indent) ?? broken(next, indent)
      pushReversed(pending, pieces)
    }
  }
  return output.join('')
}

/** The number of spaces from a position of a text. */
function spacesAt(text: string, start: number): number {
  let end = start
  while (text[end] === ' ') end++
  return end - start
}

/** Before a line that is not empty. */
const LINE_BREAK = /\n(?!\n)/g
/** Follows shifted code on the stack of pending code. */
const END_OF_SHIFT: Shifted = { shifted: '' }

/** Puts pieces on a stack, the first on top. */
function pushReversed(stack: Code[], pieces: readonly Code[]): void {
  for (let index = pieces.length - 1; index >= 0; index--) stack.push(pieces[index] ?? '')
}

function isSequence(value: Code): value is readonly Code[] {
  return Array.isArray(value)
}

/** A group on one line. Its last item may take several lines itself, like an object. */
function flat(value: Group): Code[] {
  if ('value' in value) return [`${value.head} `, value.value]
  if ('calls' in value) return [value.head, ...value.calls]
  const { open, items, close, padding } = value
  if (items.length === 0) return [open, close]
  const pieces: Code[] = [open, padding]
  for (const [index, item] of items.entries()) {
    if (index > 0) pieces.push(', ')
    pieces.push(item)
  }
  pieces.push(padding, close)
  return pieces
}

/** A list of which only the last item, an object, an array or a function, takes several lines. */
function hugged(length: number, value: Group, indent: string): Code[] | undefined {
  if (!('items' in value) || value.expanded || !value.open.endsWith('(')) return undefined
  const last = value.items.at(-1)
  const others = value.items.slice(0, -1)
  if (others.some((item) => isExpanded(item) || isLiteral(item) || isFunction(item))) return undefined
  const opens = (head: string) =>
    firstLineFits(length, flat({ ...value, items: [...others, head], close: '' }), [], false)
  if (isLiteral(last)) {
    return opens(last.open) ? flat({ ...value, items: [...others, { ...last, expanded: true }] }) : undefined
  }
  if (!isFunction(last) || !opens(last.head)) return undefined
  const result = [last.head, `\n${indent}${INDENT}`, last.value, value.trailing, `\n${indent}`]
  return flat({ ...value, items: [...others, result] })
}

function isFunction(value: Code | undefined): value is Hanging {
  return typeof value === 'object' && 'head' in value && 'value' in value && value.head.endsWith('=>')
}

function isLiteral(value: Code | undefined): value is List {
  return typeof value === 'object' && 'items' in value && value.items.length > 0 && /^[[{]$/.test(value.open)
}

function broken(value: Group, indent: string): Code[] {
  const line = `\n${indent}${INDENT}`
  if ('value' in value) return [value.head, line, shifted(value.value)]
  if ('calls' in value) return [value.head, ...value.calls.flatMap((item): Code[] => [line, shifted(item)])]
  const { open, items, close, trailing } = value
  const lines = items.flatMap((item, index): Code[] => [
    line,
    shifted(item),
    index < items.length - 1 ? ',' : trailing,
  ])
  return [open, ...lines, `\n${indent}${close}`]
}

/** A group on one line, if it fits. */
function fitted(length: number, value: Group, following: readonly Code[]): Code[] | undefined {
  if (isExpandedInside(value)) return undefined
  const pieces = flat(value)
  // A value that can be broken itself stays on the line.
  const breaking = 'value' in value && !value.moves && canBreak(value.value)
  return firstLineFits(length, pieces, breaking ? [] : following, breaking) ? pieces : undefined
}

/** Whether the content of a list or chain makes it take several lines. */
function isExpandedInside(value: Group): boolean {
  if ('value' in value) return false
  if ('calls' in value) return value.expanded || value.calls.some(isExpanded)
  if (value.expanded) return true
  // Only the last item may take several lines.
  if (value.items.slice(0, -1).some(isExpanded)) return true
  const last = value.items.at(-1)
  if (isFunction(last)) return isChain(last.value) && isExpanded(last.value)
  return isChain(last) && isExpanded(last)
}

function isChain(value: Code | undefined): value is Chain {
  return typeof value === 'object' && 'calls' in value
}

/**
 * Whether a line of length `before` fits with the pieces and the following code, up to its end or, if `breaking`, up to
 * the first position where it can be broken. `following` is a stack: its last element comes first.
 */
function firstLineFits(
  before: number,
  pieces: readonly Code[],
  following: readonly Code[],
  breaking: boolean,
): boolean {
  const rest: Code[] = []
  pushReversed(rest, pieces)
  let left = following.length
  let length = before
  for (;;) {
    const next = rest.pop() ?? following[--left]
    if (next === undefined) return length <= LINE_WIDTH
    if (typeof next === 'string') {
      const end = next.indexOf('\n')
      length += end === -1 ? next.length : end
      if (length > LINE_WIDTH) return false
      if (end !== -1) return true
    } else if (isSequence(next)) pushReversed(rest, next)
    else if ('shifted' in next) rest.push(next.shifted)
    else if ('items' in next && (next.expanded || (breaking && next.items.length > 0))) {
      return length + next.open.length <= LINE_WIDTH
    } else pushReversed(rest, flat(next))
  }
}

function isExpanded(value: Code): boolean {
  if (typeof value === 'string') return value.includes('\n')
  if (isSequence(value)) return value.some(isExpanded)
  if ('shifted' in value) return isExpanded(value.shifted)
  if ('value' in value) return isExpanded(value.value)
  if ('calls' in value) return value.expanded || value.calls.some(isExpanded)
  return value.expanded || value.items.some(isExpanded)
}

function canBreak(value: Code): boolean {
  if (typeof value === 'string') return value.includes('\n')
  if (isSequence(value)) return value.some(canBreak)
  if ('shifted' in value) return canBreak(value.shifted)
  return 'items' in value ? value.items.length > 0 : true
}
