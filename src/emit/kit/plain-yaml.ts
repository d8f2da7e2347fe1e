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
const PLAIN = /^[$A-Za-z/](?:[A-Za-z0-9_./,;()`'"*<>=?!+|&$@{}[\] -]|:(?=[^\s]))*$/
const WORD = /^(?:true|false|yes|no|on|off|null|y|n)$/i

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
  return text.includes('\n') && /^\S/.test(text) && /\S$/.test(text) && !/[^\n\u0020-\u007e]/.test(text)
}

function scalar(value: string | number | boolean | null): string {
  // A float of YAML 1.1 has a point.
  if (typeof value !== 'string') return JSON.stringify(value).replace(/^(-?\d+)(?=e)/, '$1.0')
  if (PLAIN.test(value) && !value.endsWith(' ') && !WORD.test(value)) return value
  return quoted(value)
}

/** In single quotes nothing is escaped but themselves; what is not visible ASCII takes JSON's double quotes. */
function quoted(value: string): string {
  if (/^[\u0020-\u007e]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function isSequence(value: PlainYaml): value is readonly PlainYaml[] {
  return Array.isArray(value)
}
