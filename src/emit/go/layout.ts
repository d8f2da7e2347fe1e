/** Lines of Go code, laid out as gofmt does: indented by tabs, with aligned fields, keys and constants. */

const LINE_WIDTH = 120
const TAB_WIDTH = 4

/** Indents lines by one tab. Empty lines stay empty. */
export function indented(lines: readonly string[]): string[] {
  return lines
    .flatMap((line) => line.split('\n'))
    .map((line) => (line === '' || line.startsWith(RAW) ? line : `\t${line}`))
}

/** Begins a line of a raw string, which is not indented. */
const RAW = '\u0000'

/** `head {`, the indented lines, and `}`. */
export function block(head: string, lines: readonly string[]): string {
  return [`${head} {`, ...indented(lines), '}'].join('\n')
}

/** A function, whose parameters get a line of their own if the head is too long. */
export function func({ receiver, name, parameters, result }: FunctionHead, lines: readonly string[]): string {
  const start = `func ${receiver === undefined ? '' : `(${receiver}) `}${name}(`
  const end = `)${result === undefined ? '' : ` ${result}`}`
  const flat = `${start}${parameters.join(', ')}${end}`
  if (width(flat) + 2 <= LINE_WIDTH) return block(flat, lines)
  return [start, `\t${parameters.join(', ')},`, `${end} {`, ...indented(lines), '}'].join('\n')
}

/** How long a function literal on one line is at most, without braces. */
const SMALL_FUNCTION = 100

/** A function literal with one statement, on one line unless that is long. */
export function lambda(head: string, statement: string): string {
  const isSmall = characters(head) + characters(statement) <= SMALL_FUNCTION
  return isSmall ? `${head} { ${statement} }` : block(head, [statement])
}

/** What a function begins with. */
interface FunctionHead {
  readonly receiver?: string
  readonly name: string
  readonly parameters: readonly string[]
  readonly result?: string
}

/** A call that has one argument per line if it is too long for a line that is indented by `indent` tabs. */
export function call(name: string, values: readonly string[], indent = 1): string {
  const flat = `${name}(${values.join(', ')})`
  const fits = !flat.includes('\n') && width(flat) + indent * TAB_WIDTH <= LINE_WIDTH - 20
  return fits ? flat : [`${name}(`, ...indented(values.map((value) => `${value},`)), ')'].join('\n')
}

/** A call whose arguments fill as few lines as they need. */
export function filled(name: string, values: readonly string[]): string {
  return (
    values.reduce((text, value, index) => {
      const line = `${text.slice(text.lastIndexOf('\n') + 1)}, ${value})`
      if (index === 0) return text + value
      return width(line) + TAB_WIDTH <= LINE_WIDTH ? `${text}, ${value}` : `${text},\n\t${value}`
    }, `${name}(`) + ')'
  )
}

/** A field of a struct, or an embedded type without a name. */
export interface Field {
  readonly name?: string
  readonly type: string
  readonly tag?: string
  readonly documentation?: string
}

/** A struct type. */
export function struct(name: string, fields: readonly Field[]): string {
  if (fields.length === 0) return `type ${name} struct{}`
  return block(`type ${name} struct`, alignedFields(fields))
}

function alignedFields(fields: readonly Field[]): string[] {
  const rows = fields.flatMap(({ name, type, tag, documentation = '' }): string[][] => [
    ...comment(documentation).map((line) => [line]),
    name === undefined ? [type] : [name, type, ...(tag === undefined ? [] : [tag])],
  ])
  return aligned(rows)
}

/** Constants in parentheses: `name type = value`. */
export function constants(rows: readonly (readonly [name: string, type: string, value: string])[]): string {
  return [
    'const (',
    ...indented(aligned(rows.map(([name, type, value]) => [name, type, `= ${value}`]))),
    ')',
  ].join('\n')
}

/** Aligns the cells of consecutive rows. The last cell of a row is not part of a column. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const lines = rows.map((row) => [...row])
  const columns = Math.max(0, ...rows.map(({ length }) => length - 1))
  for (let column = 0; column < columns; column++) {
    for (let start = 0; start < lines.length; start++) {
      let end = start
      while (end < lines.length && (lines[end]?.length ?? 0) > column + 1) end++
      const part = lines.slice(start, end)
      const size = Math.max(0, ...part.map((row) => characters(row[column] ?? '')))
      for (const row of part) row[column] = pad(row[column] ?? '', size)
      if (end > start) start = end
    }
  }
  return lines.map((row) => row.join(' ').trimEnd())
}

/** Keys that gofmt aligns whatever their relation. */
const SMALL_KEY = 40
const MAX_RATIO = 2.5

/** A composite literal with one key per line: `Home{ID: id, ...}`. */
export function literal(type: string, entries: readonly (readonly [key: string, value: string])[]): string {
  if (entries.length === 0) return `${type}{}`
  const sections: (readonly [string, string])[][] = []
  let previous = 0
  let sum = 0
  let count = 0
  for (const [key, value] of entries) {
    const size = value.includes('\n') ? 0 : characters(key)
    const isSmall = previous <= SMALL_KEY && size <= SMALL_KEY
    const ratio = count === 0 ? 1 : size / Math.exp(sum / count)
    const isAligned =
      previous > 0 && size > 0 && (count === 0 || isSmall || (MAX_RATIO * ratio > 1 && ratio < MAX_RATIO))
    if (!isAligned) {
      sections.push([])
      sum = 0
      count = 0
    }
    sections.at(-1)?.push([key, value])
    if (size > 0) {
      sum += Math.log(size)
      count++
    }
    previous = size
  }
  const lines = sections.flatMap((section) =>
    aligned(section.map(([key, value]) => [`${key}:`, `${value},`])),
  )
  return [`${type}{`, ...indented(lines), '}'].join('\n')
}

/** Comment lines; none for an empty text. */
export function comment(text: string): string[] {
  if (text === '') return []
  return text.split('\n').map((line) => `// ${plain(line)}`.trimEnd())
}

/** What gofmt and vet would read as more than text. */
function plain(line: string): string {
  const text = line.replaceAll('\r', '').replaceAll(RAW, '').trim()
  return /^(?:#|\[|\+build)/.test(text) ? `\\${text}` : text
}

/** A text as a literal. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\uFEFF', '\\ufeff')
}

/** SQL as a raw string, on several lines if it is long. `indent` is that of the statement, in tabs. */
export function sql(text: string, indent: number): string {
  const margin = '\t'.repeat(indent + 1)
  if (text.length < LINE_WIDTH - 20) return `\`${text}\``
  const lines = text.replaceAll(CLAUSE, '\n$1 ').trimStart().split('\n').flatMap(wrapped)
  return `\`${lines.map((line) => `\n${RAW}${margin}${line}`).join('')}\``
}

/** Clauses that begin a line. Names in SQL contain no spaces. */
const CLAUSE =
  / (values|select|set|(?<!^delete )(?<!^select "\w+" )from|where|for key share|returning|order by) /g

/** Where a long line of SQL is broken: before a condition in parentheses, otherwise after a comma. */
const BREAKS = [/ (?=(?:and|or) \()/g, /(?<=,) (?=["(])/g]

/** Breaks a long line of SQL. The rest is indented. */
function wrapped(line: string): string[] {
  const lines: string[] = []
  let rest = line
  while (rest.length > SQL_WIDTH) {
    const start = rest.slice(0, SQL_WIDTH + ', "'.length)
    const at = BREAKS.map((pattern) => [...start.matchAll(pattern)].at(-1)?.index).find((index) => index)
    if (at === undefined) break
    lines.push(rest.slice(0, at))
    rest = `\t${rest.slice(at + 1)}`
  }
  return [...lines, rest]
}

const SQL_WIDTH = 104

/** Removes the marks of raw strings. */
export function printed(text: string): string {
  return text.replaceAll(RAW, '')
}

function width(line: string): number {
  return characters(line) + (line.split('\t').length - 1) * (TAB_WIDTH - 1)
}

const characters = (text: string) => Array.from(text).length
const pad = (text: string, size: number) => text + ' '.repeat(size - characters(text))
