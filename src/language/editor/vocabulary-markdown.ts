import type {
  AllowedValue,
  AnnotationEntry,
  BlockKind,
  MetadataEntry,
  Parameter,
  TypeEntry,
} from '../vocabulary.ts'

/** What the vocabulary says, as Markdown for completion, hovers and signature help. */

const KINDS: Readonly<Record<BlockKind, string>> = {
  project:
    'The platform as a whole: its name, and metadata that holds for all services. There is exactly one.',
  service: 'An entity with its endpoints, a database of its own, and the structs that belong to it.',
  struct: 'Many entries to one entity of the service that it stands in.',
}

export function kindMarkdown(kind: BlockKind): string {
  return KINDS[kind]
}

export function typeMarkdown(entry: TypeEntry): string {
  const { docs, json, postgres, parameters } = entry
  const lines = [docs, '', `JSON: ${json}  `, `Postgres: ${postgres}`]
  if (parameters.length > 0) lines.push('', ...parameters.map(parameterLine))
  return lines.join('\n')
}

export function annotationMarkdown({ docs }: AnnotationEntry): string {
  return docs
}

export function metadataMarkdown({ docs, whenAbsent, parameter }: MetadataEntry): string {
  const lines = [docs, '', `Without it: ${whenAbsent}.`]
  if (parameter !== undefined && parameter.values.length > 0)
    lines.push('', ...parameter.values.map((value) => `- ${valueName(value)}: ${value.docs}`))
  return lines.join('\n')
}

export function parameterMarkdown({ docs, whenAbsent }: Parameter): string {
  return whenAbsent === 'required' ? docs : `${docs}\n\nWithout it: ${whenAbsent}.`
}

export function valueMarkdown({ docs, aliases }: AllowedValue): string {
  return aliases.length === 0
    ? docs
    : `${docs}\n\nAlso written ${aliases.map((alias) => `\`${alias}\``).join(', ')}.`
}

/** `int(max, min, precision)`, `#omit[endpoints]`. */
export function callShape(name: string, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return name
  const names = parameters.map((parameter) => parameter.name).join(', ')
  const isList = parameters[0]?.kind === 'words' || parameters[0]?.kind === 'services'
  return isList ? `${name}[${names}]` : `${name}(${names})`
}

function parameterLine({ name, docs, whenAbsent }: Parameter): string {
  return `- \`${name}\`: ${docs} Without it: ${whenAbsent}.`
}

function valueName({ name, aliases }: AllowedValue): string {
  return [name, ...aliases].map((word) => `\`${word}\``).join(', ')
}
