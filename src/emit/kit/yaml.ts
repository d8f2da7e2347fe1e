/** What a YAML file holds. A key whose value is `undefined` is left out. */
export type Yaml = string | number | boolean | null | readonly Yaml[] | YamlObject | Commented | OnOneLine

/** A mapping, its keys in the order in which they are written. */
export interface YamlObject {
  readonly [key: string]: Yaml | undefined
}

/** A value with a comment on the lines before its key or, in a sequence, before the item. */
export class Commented {
  readonly comment: string
  readonly value: Yaml

  constructor(comment: string, value: Yaml) {
    this.comment = comment
    this.value = value
  }
}

/** A sequence or mapping in brackets, `[a, b]`, for short ones. Nothing in it has a comment. */
export class OnOneLine {
  readonly value: readonly Yaml[] | YamlObject

  constructor(value: readonly Yaml[] | YamlObject) {
    this.value = value
  }
}

/** Puts a comment, of one line or several joined by `\n`, before a value's key. */
export function commented(comment: string, value: Yaml): Commented {
  return new Commented(comment, value)
}

/** Writes a short sequence or mapping on one line. */
export function onOneLine(value: readonly Yaml[] | YamlObject): OnOneLine {
  return new OnOneLine(value)
}

/**
 * Text that means itself without quotes in YAML 1.1 and 1.2: it begins with a letter, `$`, `/`, `./` or an option's
 * hyphens, holds no sign that could end it, and is none of the words below. Nothing that looks like a number begins
 * so, but for durations and sizes, which end in a unit.
 */
const PLAIN = /^(?:[$\p{L}/]|\.\/|--?(?=\p{L}))(?:[\p{L}0-9_./,;()`'"*<>=?!+|&$@{}[\] -]|:(?=[^\s]))*$/u
const QUANTITY = /^\d+(?:\.\d+)?(?:ms|[smhkg])$/
const WORD = /^(?:true|false|yes|no|on|off|null|y|n)$/i
/** What ends a text, or a key, between brackets. */
const ENDS_IN_BRACKETS = /[,[\]{}:?]/

/** What has to be escaped, besides line ends (YAML 1.2.2, 5.1): readers refuse it, or take it for a line end. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const NOT_PRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff\p{Cs}]/u

/**
 * The text of a YAML file: `head` as a comment, an empty line, then the mapping, with an empty line between its
 * sections. Strings are quoted where a reader of YAML 1.1 or 1.2 would take them for something else; nothing is
 * folded, and no anchors are made. The same value gives the same bytes.
 *
 * Written here since descriptions of large platforms have megabytes, for which libraries take seconds.
 */
export function yamlFile(head: string, value: YamlObject): string {
  const parts = [commentLines(head, '')]
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue
    parts.push('\n')
    writePair(key, item, '', '', parts)
  }
  return parts.join('')
}

/** Writes the pairs of a mapping, each on a line of its own that begins at the indentation; the first at `first`. */
function writeMapping(value: YamlObject, indent: string, parts: string[], first = indent): void {
  let lead = first
  for (const key in value) {
    const item = value[key]
    if (item === undefined) continue
    writePair(key, item, indent, lead, parts)
    lead = indent
  }
}

function writePair(key: string, item: Yaml, indent: string, lead: string, parts: string[]): void {
  if (item instanceof Commented) {
    // That of an item's first pair stands before the hyphen.
    parts.push(commentLines(item.comment, lead.replace('- ', '')))
    writePair(key, item.value, indent, lead, parts)
    return
  }
  parts.push(lead, scalar(key), ':')
  writeValue(item, indent, parts)
}

function writeValue(value: Yaml, indent: string, parts: string[]): void {
  if (value instanceof Commented) writeValue(value.value, indent, parts)
  else if (value instanceof OnOneLine) parts.push(' ', bracketed(value.value), '\n')
  else if (isSequence(value)) {
    if (value.length === 0) parts.push(' []\n')
    else {
      parts.push('\n')
      for (const item of value) writeItem(item, `${indent}  `, parts)
    }
  } else if (typeof value === 'object' && value !== null) {
    if (isEmpty(value)) parts.push(' {}\n')
    else {
      parts.push('\n')
      writeMapping(value, `${indent}  `, parts)
    }
  } else if (typeof value === 'string' && isBlock(value)) {
    const isLines = value.endsWith('\n')
    const lines = isLines ? value : `${value}\n`
    parts.push(isLines ? ' |\n' : ' |-\n', lines.replace(/^(?=.)/gm, `${indent}  `))
  } else parts.push(' ', scalar(value), '\n')
}

function writeItem(item: Yaml, indent: string, parts: string[]): void {
  if (item instanceof Commented) {
    parts.push(commentLines(item.comment, indent))
    writeItem(item.value, indent, parts)
  } else if (isMapping(item) && !isEmpty(item)) {
    writeMapping(item, `${indent}  `, parts, `${indent}- `)
  } else {
    parts.push(indent, '-')
    writeValue(item, indent, parts)
  }
}

function bracketed(value: Yaml): string {
  if (value instanceof Commented || value instanceof OnOneLine) return bracketed(value.value)
  if (isSequence(value)) return `[${value.map(bracketed).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).filter(([, item]) => item !== undefined)
    return `{${pairs.map(([key, item]) => `${bracketed(key)}: ${bracketed(item ?? null)}`).join(', ')}}`
  }
  return typeof value === 'string' && ENDS_IN_BRACKETS.test(value) ? quoted(value) : scalar(value)
}

/** Lines that a block can hold: nothing at an edge that a reader would take for indentation or cut off. */
function isBlock(text: string): boolean {
  return text.includes('\n') && /^\S/.test(text) && /\S\n?$/.test(text) && !NOT_PRINTABLE.test(text)
}

function scalar(value: string | number | boolean | null): string {
  // A float of YAML 1.1 has a point.
  if (typeof value !== 'string') return JSON.stringify(value).replace(/^(-?\d+)(?=e)/, '$1.0')
  if (PLAIN.test(value) && !value.endsWith(' ') && !WORD.test(value)) return value
  return QUANTITY.test(value) ? value : quoted(value)
}

/** In single quotes nothing is escaped but themselves; what needs escapes takes JSON's double quotes. */
function quoted(value: string): string {
  if (!value.includes('\n') && !NOT_PRINTABLE.test(value)) return `'${value.replaceAll("'", "''")}'`
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function commentLines(text: string, indent: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? `${indent}#\n` : `${indent}# ${line}\n`))
    .join('')
}

function isSequence(value: Yaml): value is readonly Yaml[] {
  return Array.isArray(value)
}

function isMapping(value: Yaml): value is YamlObject {
  return typeof value === 'object' && value !== null && !isSequence(value) && !(value instanceof OnOneLine)
}

function isEmpty(value: YamlObject): boolean {
  for (const key in value) if (value[key] !== undefined) return false
  return true
}
