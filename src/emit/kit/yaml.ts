import { Document, isPair, isScalar, type Node, Scalar, YAMLMap, YAMLSeq } from 'yaml'

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

/** A sequence or mapping in brackets, `[a, b]`, for short ones. */
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
 * The text of a YAML file: `head` as a comment, an empty line, then the mapping, with an empty line between its
 * sections. Strings are quoted where a reader of YAML 1.1 or 1.2 would take them for something else; nothing is
 * folded, and no anchors are made. The same value gives the same bytes.
 */
export function yamlFile(head: string, value: YamlObject): string {
  const content = mapOf(value)
  content.items.forEach((pair, index) => {
    if (index > 0 && isPair(pair) && isScalar(pair.key)) pair.key.spaceBefore = true
  })
  const document = new Document(content, { version: '1.2', compat: 'yaml-1.1' })
  document.commentBefore = commentText(head)
  return document.toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: false, commentString })
}

function nodeOf(value: Yaml): Node {
  if (value instanceof Commented) return nodeOf(value.value)
  if (value instanceof OnOneLine) {
    const node = nodeOf(value.value)
    if (node instanceof YAMLMap || node instanceof YAMLSeq) node.flow = true
    return node
  }
  if (isSequence(value)) return sequenceOf(value)
  if (typeof value === 'object' && value !== null) return mapOf(value)
  const scalar = new Scalar(value)
  if (typeof value === 'string' && value.includes('\n')) scalar.type = Scalar.BLOCK_LITERAL
  return scalar
}

function sequenceOf(items: readonly Yaml[]): YAMLSeq {
  const sequence = new YAMLSeq()
  for (const item of items) {
    const node = nodeOf(item)
    if (item instanceof Commented) node.commentBefore = commentText(item.comment)
    sequence.items.push(node)
  }
  return sequence
}

function mapOf(value: YamlObject): YAMLMap {
  const map = new YAMLMap()
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined) continue
    const key = new Scalar(name)
    if (item instanceof Commented) key.commentBefore = commentText(item.comment)
    map.add({ key, value: nodeOf(item) })
  }
  return map
}

function isSequence(value: Yaml): value is readonly Yaml[] {
  return Array.isArray(value)
}

/** As the library keeps comments: without the sign, with the space behind it. */
function commentText(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : ` ${line}`))
    .join('\n')
}

function commentString(text: string): string {
  return text.replace(/^/gm, '#')
}
