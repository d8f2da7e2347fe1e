import {
  type AllowedValue,
  type AnnotationEntry,
  type BlockKind,
  type MetadataEntry,
  optionForm,
  type Parameter,
  takesList,
  type TypeEntry,
} from '../language/builtins.ts'

/** The built-ins as Markdown for completion, hovers and signature help. */

const KINDS: Readonly<Record<BlockKind, string>> = {
  project:
    'The platform: its name, and metadata that applies to all services. A definition has exactly one project.',
  service: 'An entity with its endpoints, its own database, and its structs.',
  struct: 'A list of entries that belong to one entity of the service.',
  endpoint: 'A route with your own code, whose requests and responses have these attributes.',
  job: 'Work in the background with your own code: stored in the database of the service when it is added, and tried again until it succeeds. The attributes are its payload.',
}

/** What `Auth` is in `#uses`. */
export const AUTHENTICATION_MARKDOWN =
  'The authentication service, which `#authMethod` adds. Services that use it can read the email and the roles of accounts.'

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

export function metadataMarkdown({ docs, whenAbsent, parameter, options = [] }: MetadataEntry): string {
  const lines = [docs, '', `Default: ${whenAbsent}.`]
  if (options.length > 0) lines.push('', ...options.map(parameterLine))
  if (parameter !== undefined && parameter.values.length > 0)
    lines.push('', ...parameter.values.map((value) => `- ${valueName(value)}: ${value.docs}`))
  return lines.join('\n')
}

export function parameterMarkdown({ docs, whenAbsent }: Parameter): string {
  return whenAbsent === 'required' ? docs : `${docs}\n\nDefault: ${whenAbsent}.`
}

export function valueMarkdown({ docs, aliases }: AllowedValue): string {
  return aliases.length === 0
    ? docs
    : `${docs}\n\nAlso written ${aliases.map((alias) => `\`${alias}\``).join(', ')}.`
}

/** `int(max, min, precision)`, `#omit[endpoints]`. */
export function signatureOf(name: string, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return name
  const names = parameters.map((parameter) => parameterForm(parameter)).join(', ')
  return parameters.some(takesList) ? `${name}[${names}]` : `${name}(${names})`
}

function parameterForm({ kind, name, byName }: Parameter): string {
  if (kind === 'formerValues') return `${name}: oldValue, ...`
  if (kind === 'transitions') return `${name}: [nextValue, ...], ...`
  if (byName) return `${name}:`
  return kind === 'values' ? `${name}, ...` : name
}

/** `omit[endpoints]`, `enumerable(filter: [...], sort: [...])`. */
export function metadataSignature({ name, parameter, options = [] }: MetadataEntry): string {
  if (parameter !== undefined) return signatureOf(name, [parameter, ...options])
  const lists = options.map(optionForm).join(', ')
  return lists === '' ? name : `${name}(${lists})`
}

function parameterLine({ name, docs, whenAbsent }: Parameter): string {
  return `- \`${name}\`: ${docs}${whenAbsent === 'required' ? '' : ` Default: ${whenAbsent}.`}`
}

function valueName({ name, aliases }: AllowedValue): string {
  return [name, ...aliases].map((word) => `\`${word}\``).join(', ')
}
