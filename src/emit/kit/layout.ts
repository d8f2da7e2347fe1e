/** The longest line of generated code, as the formatter's configuration says. */
export const LINE_WIDTH = 110
const INDENT = '  '

/** A list between brackets: on one line where that fits, else one item a line. */
export interface List {
  readonly open: string
  readonly items: readonly Code[]
  readonly close: string
  /** Between the brackets and the items of one line: `{ a }`. */
  readonly padding: '' | ' '
  /** Behind the last item where the list takes several lines. */
  readonly trailing: '' | ','
  /** Takes several lines even where one would do. */
  readonly expanded: boolean
}

/** A value on the line of what it belongs to where that fits, else indented on the next one. */
export interface Hanging {
  readonly head: string
  readonly value: Code
}

/** Calls on one line where they fit and none takes several lines itself, else each on a line of its own. */
export interface Chain {
  readonly head: string
  /** `.from(table)`. */
  readonly calls: readonly Code[]
  /** Takes several lines even where one would do. */
  readonly expanded: boolean
}

type Group = List | Hanging | Chain

/** Text whose lines may have to be broken: the groups in it are laid out when it is printed. */
export type Code = string | Group | readonly Code[]

/** Arguments, parameters or the elements of an array: `(a, b)`, `[a, b]`. */
export function list(open: string, items: readonly Code[], close: string): List {
  return { open, items, close, padding: '', trailing: ',', expanded: false }
}

/** A call: `name(a, b)`. */
export function call(name: string, ...values: readonly Code[]): List {
  return list(`${name}(`, values, ')')
}

/** Names in braces, as of an import: `{ a, b }`. */
export function braces(items: readonly Code[]): List {
  return { open: '{', items, close: '}', padding: ' ', trailing: ',', expanded: false }
}

/** An object literal or type with one property a line. Without properties it is `{}`. */
export function object(items: readonly Code[]): List {
  return { open: '{', items, close: '}', padding: ' ', trailing: ',', expanded: items.length > 0 }
}

/** `head value`, where the value moves to a line of its own when it does not fit. */
export function hang(head: string, value: Code): Hanging {
  return { head, value }
}

/** `if (condition) statement` without braces. */
export function when(condition: string, statement: string): Hanging {
  return hang(`if (${condition})`, statement)
}

/** Three calls or more, one after the other: `head.a().b().c()`. */
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

/** Several pieces with `separator` between them. */
export function join(pieces: readonly Code[], separator: string): Code {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece]))
}

/**
 * Lays code out in lines of at most 110 columns, as the formatter would. What is broken is indented from the
 * line that it starts on. A line that is too long and holds nothing to break stays as it is.
 */
export function print(source: Code): string {
  const output: string[] = []
  let line = ''
  const pending: Code[] = [source]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') {
      output.push(next)
      const end = next.lastIndexOf('\n')
      line = end === -1 ? line + next : next.slice(end + 1)
    } else if (isSequence(next)) pushReversed(pending, next)
    else {
      const indent = /^ */.exec(line)?.[0] ?? ''
      const pieces = fitted(line, next, pending) ?? hugged(line, next, indent) ?? broken(next, indent)
      pushReversed(pending, pieces)
    }
  }
  return output.join('')
}

/** Puts pieces on a stack, the first on top. */
function pushReversed(stack: Code[], pieces: readonly Code[]): void {
  for (let index = pieces.length - 1; index >= 0; index--) stack.push(pieces[index] ?? '')
}

function isSequence(value: Code): value is readonly Code[] {
  return Array.isArray(value)
}

/** On one line, but for a last item of a list that takes several lines itself, like an object. */
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

/** A list whose last item alone takes several lines, where that is an object, an array or a function. */
function hugged(line: string, value: Group, indent: string): Code[] | undefined {
  if (!('items' in value) || value.expanded || !value.open.endsWith('(')) return undefined
  const last = value.items.at(-1)
  const others = value.items.slice(0, -1)
  if (others.some((item) => isExpanded(item) || isLiteral(item))) return undefined
  const opens = (head: string) =>
    firstLineFits(line, flat({ ...value, items: [...others, head], close: '' }), [], false)
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
  if ('value' in value) return [value.head, line, value.value]
  if ('calls' in value) return [value.head, ...value.calls.flatMap((item): Code[] => [line, item])]
  const { open, items, close, trailing } = value
  const lines = items.flatMap((item, index): Code[] => [
    line,
    item,
    index < items.length - 1 ? ',' : trailing,
  ])
  return [open, ...lines, `\n${indent}${close}`]
}

/** A group on one line, where that fits. */
function fitted(line: string, value: Group, following: readonly Code[]): Code[] | undefined {
  if (isExpandedInside(value)) return undefined
  const pieces = flat(value)
  // A value that can be broken in itself need not move to the next line.
  const breaking = 'value' in value && canBreak(value.value)
  return firstLineFits(line, pieces, breaking ? [] : following, breaking) ? pieces : undefined
}

/** Whether a list or chain takes several lines for what is in it. */
function isExpandedInside(value: Group): boolean {
  if ('value' in value) return false
  if ('calls' in value) return value.expanded || value.calls.some(isExpanded)
  if (value.expanded) return true
  // Only the last item may take several lines, and then what stands behind it is on another line.
  if (value.items.slice(0, -1).some(isExpanded)) return true
  const last = value.items.at(-1)
  return typeof last === 'object' && 'calls' in last && isExpanded(last)
}

/**
 * Whether the line fits with the pieces and what follows them, up to its end or, where `breaking`, up to the
 * first place where it can be broken. Of what follows, the last comes first.
 */
function firstLineFits(
  line: string,
  pieces: readonly Code[],
  following: readonly Code[],
  breaking: boolean,
): boolean {
  const rest: Code[] = []
  pushReversed(rest, pieces)
  let left = following.length
  let length = line.length
  for (;;) {
    const next = rest.pop() ?? following[--left]
    if (next === undefined) return length <= LINE_WIDTH
    if (typeof next === 'string') {
      const end = next.indexOf('\n')
      length += end === -1 ? next.length : end
      if (length > LINE_WIDTH) return false
      if (end !== -1) return true
    } else if (isSequence(next)) pushReversed(rest, next)
    else if ('items' in next && (next.expanded || (breaking && next.items.length > 0))) {
      return length + next.open.length <= LINE_WIDTH
    } else pushReversed(rest, flat(next))
  }
}

function isExpanded(value: Code): boolean {
  if (typeof value === 'string') return value.includes('\n')
  if (isSequence(value)) return value.some(isExpanded)
  if ('value' in value) return isExpanded(value.value)
  if ('calls' in value) return value.expanded || value.calls.some(isExpanded)
  return value.expanded || value.items.some(isExpanded)
}

function canBreak(value: Code): boolean {
  if (typeof value === 'string') return value.includes('\n')
  if (isSequence(value)) return value.some(canBreak)
  return 'items' in value ? value.items.length > 0 : true
}
