/** Plain data, as JSON has it. */
export type PlainYaml = string | number | boolean | null | readonly PlainYaml[] | PlainYamlObject

/** A mapping, its keys in the order in which they are written. */
export interface PlainYamlObject {
  readonly [key: string]: PlainYaml
}

/**
 * Text that means itself without quotes in YAML 1.1 and 1.2: it begins with a letter, `$` or `/`, holds no sign that
 * could end it, and is none of the words below. Nothing that looks like a number begins so.
 */
const PLAIN = /^[$\p{L}/](?:[\p{L}0-9_./,;()`'"*<>=?!+|&$@{}[\] -]|:(?=[^\s]))*$/u
const WORD = /^(?:true|false|yes|no|on|off|null|y|n)$/i

/** What has to be escaped, besides line ends (YAML 1.2.2, 5.1): readers refuse it, or take it for a line end. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const NOT_PRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff\p{Cs}]/u

/**
 * The text of plain data as a YAML document with a comment of one line before it. It is what JSON would hold, in
 * block style: no comments between, no anchors, nothing folded. Made for documents of megabytes, which the YAML
 * library takes a second for.
 */
export function plainYamlFile(head: string, value: PlainYamlObject): string {
  const parts = [`# ${head}\n`]
  writeMapping(value, '', parts)
  return parts.join('')
}

/** Writes the pairs of a mapping, each on a line of its own that begins at the indentation. */
function writeMapping(value: PlainYamlObject, indent: string, parts: string[], first = indent): void {
  let lead = first
  for (const key in value) {
    const item = value[key]
    if (item === undefined) continue
    parts.push(lead, scalar(key), ':')
    writeValue(item, indent, parts)
    lead = indent
  }
}

function writeValue(value: PlainYaml, indent: string, parts: string[]): void {
  if (isSequence(value)) {
    if (value.length === 0) parts.push(' []\n')
    else {
      parts.push('\n')
      for (const item of value) writeItem(item, `${indent}  `, parts)
    }
  } else if (typeof value === 'object' && value !== null) {
    if (Object.keys(value).length === 0) parts.push(' {}\n')
    else {
      parts.push('\n')
      writeMapping(value, `${indent}  `, parts)
    }
  } else if (typeof value === 'string' && isBlock(value)) {
    parts.push(` |-\n${value.replace(/^(?=.)/gm, `${indent}  `)}\n`)
  } else parts.push(' ', scalar(value), '\n')
}

function writeItem(item: PlainYaml, indent: string, parts: string[]): void {
  if (typeof item === 'object' && item !== null && !isSequence(item) && Object.keys(item).length > 0) {
    writeMapping(item, `${indent}  `, parts, `${indent}- `)
  } else {
    parts.push(indent, '-')
    writeValue(item, indent, parts)
  }
}

/** Lines that a block can hold: nothing at an edge that a reader would take for indentation or cut off. */
function isBlock(text: string): boolean {
  return text.includes('\n') && /^\S/.test(text) && /\S$/.test(text) && !NOT_PRINTABLE.test(text)
}

function scalar(value: string | number | boolean | null): string {
  // A float of YAML 1.1 has a point.
  if (typeof value !== 'string') return JSON.stringify(value).replace(/^(-?\d+)(?=e)/, '$1.0')
  if (PLAIN.test(value) && !value.endsWith(' ') && !WORD.test(value)) return value
  return quoted(value)
}

/** In single quotes nothing is escaped but themselves; what needs escapes takes JSON's double quotes. */
function quoted(value: string): string {
  if (!value.includes('\n') && !NOT_PRINTABLE.test(value)) return `'${value.replaceAll("'", "''")}'`
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function isSequence(value: PlainYaml): value is readonly PlainYaml[] {
  return Array.isArray(value)
}
