/** A YAML value. Keys with the value `undefined` are omitted. */
export type Yaml = string | number | boolean | null | readonly Yaml[] | YamlObject | Commented | Flow

/** A mapping, with its keys in the order in which they are written. */
export interface YamlObject {
  readonly [key: string]: Yaml | undefined
}

/** A value with a comment before its key or, in a sequence, before the item. */
class Commented {
  readonly comment: string
  readonly value: Yaml

  constructor(comment: string, value: Yaml) {
    this.comment = comment
    this.value = value
  }
}

/** A short sequence or mapping in flow style: `[a, b]`. It contains no comments. */
class Flow {
  readonly value: readonly Yaml[] | YamlObject

  constructor(value: readonly Yaml[] | YamlObject) {
    this.value = value
  }
}

/** Adds a comment of one or more lines to a value. */
export function commented(comment: string, value: Yaml): Commented {
  return new Commented(comment, value)
}

/** Writes a short sequence or mapping in flow style, on one line. */
export function flow(value: readonly Yaml[] | YamlObject): Flow {
  return new Flow(value)
}

/**
 * Text that needs no quotes in YAML 1.1 and 1.2, unless it is one of the words below. It starts with a letter, `$`,
 * `/`, `./` or the hyphens of an option, and contains no character that could end it. Durations and sizes, which
 * start with a digit, have a pattern of their own.
 */
const PLAIN = /^(?:[$\p{L}/]|\.\/|--?(?=\p{L}))(?:[\p{L}0-9_./,;()`'"*<>=?!+|&$@{}[\] -]|:(?=[^\s]))*$/u
const QUANTITY = /^\d+(?:\.\d+)?(?:ms|[smhkg])$/
/** Words that parsers read as something else. Some read `E0` as a number in YAML 1.1. */
const WORD = /^(?:true|false|yes|no|on|off|null|y|n|-?e[-+]?\d+)$/i
/** Characters that end a text or a key in flow style. */
const ENDS_IN_BRACKETS = /[,[\]{}:?]/

/** Characters that must be escaped, besides line breaks (YAML 1.2.2, section 5.1). */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const NOT_PRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff\p{Cs}]/u

/**
 * Writes a YAML file: `head` as a comment, then the mapping, with an empty line between its sections. Strings are
 * quoted if YAML 1.1 or 1.2 would read them as another type. Nothing is folded, and no anchors are used. The same
 * value always gives the same bytes.
 *
 * Portico has its own writer because OpenAPI documents of large platforms have megabytes, for which libraries take
 * seconds.
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

/** Writes a YAML file of several documents: `head` as a comment, then the mappings, without empty lines. */
export function yamlDocuments(head: string, documents: readonly YamlObject[]): string {
  const parts = [commentLines(head, '')]
  for (const [index, document] of documents.entries()) {
    if (index > 0) parts.push('---\n')
    writeMapping(document, '', parts)
  }
  return parts.join('')
}

/** Writes the pairs of a mapping, each on its own line. The first line is indented by `first`, the others by `indent`. */
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
    // The comment of an item's first pair goes before the hyphen.
    parts.push(commentLines(item.comment, lead.replace('- ', '')))
    writePair(key, item.value, indent, lead, parts)
    return
  }
  parts.push(lead, scalar(key), ':')
  writeValue(item, indent, parts)
}

function writeValue(value: Yaml, indent: string, parts: string[]): void {
  if (value instanceof Commented) writeValue(value.value, indent, parts)
  else if (value instanceof Flow) parts.push(' ', bracketed(value.value), '\n')
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
  if (value instanceof Commented || value instanceof Flow) return bracketed(value.value)
  if (isSequence(value)) return `[${value.map(bracketed).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).filter(([, item]) => item !== undefined)
    return `{${pairs.map(([key, item]) => `${bracketed(key)}: ${bracketed(item ?? null)}`).join(', ')}}`
  }
  return typeof value === 'string' && ENDS_IN_BRACKETS.test(value) ? quoted(value) : scalar(value)
}

/** Whether text can be written as a block, without whitespace at its edges that would be lost. */
function isBlock(text: string): boolean {
  return text.includes('\n') && /^\S/.test(text) && /\S\n?$/.test(text) && !NOT_PRINTABLE.test(text)
}

function scalar(value: string | number | boolean | null): string {
  // In YAML 1.1, a float needs a decimal point.
  if (typeof value !== 'string') return JSON.stringify(value).replace(/^(-?\d+)(?=e)/, '$1.0')
  if (PLAIN.test(value) && !value.endsWith(' ') && !WORD.test(value)) return value
  return QUANTITY.test(value) ? value : quoted(value)
}

/** Uses single quotes if possible, and double quotes with JSON's escapes otherwise. */
function quoted(value: string): string {
  if (!value.includes('\n') && !NOT_PRINTABLE.test(value)) return `'${value.replaceAll("'", "''")}'`
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function commentLines(text: string, indent: string): string {
  return text
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/)
    .map((line) => (line === '' ? `${indent}#\n` : `${indent}# ${line}\n`))
    .join('')
}

function isSequence(value: Yaml): value is readonly Yaml[] {
  return Array.isArray(value)
}

function isMapping(value: Yaml): value is YamlObject {
  return typeof value === 'object' && value !== null && !isSequence(value) && !(value instanceof Flow)
}

function isEmpty(value: YamlObject): boolean {
  for (const key in value) if (value[key] !== undefined) return false
  return true
}
