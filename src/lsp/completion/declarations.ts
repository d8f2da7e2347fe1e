import { TYPES } from '../../language/builtins.ts'
import {
  type Endpoint,
  type Entity,
  type Job,
  isAttribute,
  isBlock,
  type Service,
} from '../../language/generated/ast.ts'
import { spanOf } from '../../language/nodes.ts'
import { definitionIndex } from '../../language/validation/definition-index.ts'
import { camelCase, kebabCase, snakeCase } from '../../naming.ts'
import { type AdditionalEdit, type CompletionCandidate, MAX_CHOICES } from './candidate.ts'
import type { DeclarationContext } from './context.ts'
import { metadataDeclarations } from './metadata.ts'
import { endBefore, imageAfter } from './placeholder.ts'
import { referableEntities } from './types.ts'

/** Whole declarations: blocks, attributes and metadata. */
export function declarationCandidates(context: DeclarationContext): CompletionCandidate[] {
  const { container } = context
  switch (container.$type) {
    case 'Definition':
      return [...blockSnippets(context), ...importSnippet(context)]
    case 'Project':
      return metadataDeclarations(context, additionalEdits(context))
    case 'Service':
    case 'Struct':
      return [
        ...attributeSnippets(context, container),
        ...structSnippet(context),
        ...endpointSnippet(context),
        ...jobSnippet(context),
        ...metadataDeclarations(context, additionalEdits(context)),
      ]
    case 'Endpoint':
    case 'Job':
      return [
        ...attributeSnippets(context, container),
        ...metadataDeclarations(context, additionalEdits(context)),
      ]
    case 'UnknownBlock':
    default:
      return []
  }
}

/** The missing `;` of the previous declaration. */
function additionalEdits({ cursor, needsSemicolon }: DeclarationContext): AdditionalEdit[] {
  const end = needsSemicolon ? endBefore(cursor) : undefined
  return end === undefined ? [] : [{ start: end, end, text: ';' }]
}

/** An import, before the first declaration of a file. */
function importSnippet(context: DeclarationContext): CompletionCandidate[] {
  const { parseResult, word } = context.cursor
  const file = parseResult.fileAt(word.start)
  const isLater = parseResult.value.members.some((member) => {
    const { start } = spanOf(member)
    return start >= file.start && start < word.start
  })
  if (isLater) return []
  const label = 'import'
  return [
    snippet(context, {
      label,
      kind: 'import',
      detail: 'another file of the definition',
      snippet: `${label} "\${1:other.portico}";`,
      rank: 3,
    }),
  ]
}

function blockSnippets(context: DeclarationContext): CompletionCandidate[] {
  const { project, blocks } = definitionIndex(context.cursor.parseResult.value)
  const names = blocks.map(({ name }) => name)
  const projectName = unusedName('MyProject', names, kebabCase)
  const serviceName = unusedName('Item', names, kebabCase)
  const service = snippet(context, {
    label: 'service',
    kind: 'service',
    documentation: { about: 'kind', name: 'service' },
    snippet: `\${1:${serviceName}}: service {\n  \${2:name}: \${3:string};\n}`,
    rank: 2,
  })
  if (project !== undefined) return [service]
  const own: CompletionCandidate[] = [
    snippet(context, {
      label: 'project',
      kind: 'project',
      documentation: { about: 'kind', name: 'project' },
      snippet: `\${1:${projectName}}: project {\n  $0\n}`,
      rank: 1,
    }),
    service,
  ]
  if (blocks.length > 0) return own
  const definition = snippet(context, {
    label: 'definition',
    kind: 'project',
    detail: 'a project with one service',
    documentation: { about: 'kind', name: 'project' },
    snippet: `\${1:${projectName}}: project {}\n\n\${2:${serviceName}}: service {\n  \${3:name}: \${4:string};\n  #enumerable;$0\n}`,
    rank: 0,
  })
  return [definition, ...own]
}

function attributeSnippets(
  context: DeclarationContext,
  container: Entity | Endpoint | Job,
): CompletionCandidate[] {
  const terminator = imageAfter(context.cursor) === ';' ? '' : ';'
  const names = container.members.filter(isAttribute).map(({ name }) => name)
  const types = TYPES.map(({ name }) => name).toSorted(
    (a, b) => Number(b === 'string') - Number(a === 'string'),
  )
  const attribute = snippet(context, {
    label: 'attribute',
    kind: 'attribute',
    detail: 'a value of a built-in type',
    snippet: `\${1:${unusedName('name', names, snakeCase)}}: \${2|${types.join(',')}|}${terminator}`,
    rank: 0,
  })
  const { free, cyclic } = referableEntities(context, container)
  const [first] = free
  if (first === undefined) return [attribute]
  const targets = [...free.map(({ name }) => name), ...cyclic.map(({ name }) => `${name}?`)].slice(
    0,
    MAX_CHOICES,
  )
  const type = targets.length === 1 ? `\${2:${first.name}}` : `\${2|${targets.join(',')}|}`
  const reference = snippet(context, {
    label: 'reference',
    kind: 'reference',
    detail: 'a foreign key: the id of an entity',
    snippet: `\${1:${unusedName(camelCase(first.name), names, snakeCase)}}: ${type}${terminator}`,
    rank: 1,
  })
  return [attribute, reference]
}

function structSnippet(context: DeclarationContext): CompletionCandidate[] {
  const { container, cursor } = context
  if (container.$type !== 'Service') return []
  const names = definitionIndex(cursor.parseResult.value).blocks.map(({ name }) => name)
  return [
    snippet(context, {
      label: 'struct',
      kind: 'struct',
      documentation: { about: 'kind', name: 'struct' },
      snippet: `\${1:${unusedName('Entry', names, kebabCase)}}: struct {\n  \${2:name}: \${3:string};\n}`,
      rank: 2,
    }),
  ]
}

function endpointSnippet(context: DeclarationContext): CompletionCandidate[] {
  const { container } = context
  if (container.$type !== 'Service') return []
  const name = unusedName('Search', namesWithin(container), kebabCase)
  return [
    snippet(context, {
      label: 'endpoint',
      kind: 'endpoint',
      documentation: { about: 'kind', name: 'endpoint' },
      snippet: `\${1:${name}}: endpoint {\n  #\${2|get,post|}("\${3:${kebabCase(name)}}");\n  $0\n}`,
      rank: 3,
    }),
  ]
}

function jobSnippet(context: DeclarationContext): CompletionCandidate[] {
  const { container } = context
  if (container.$type !== 'Service') return []
  const name = unusedName('Remind', namesWithin(container), kebabCase)
  return [
    snippet(context, {
      label: 'job',
      kind: 'job',
      documentation: { about: 'kind', name: 'job' },
      snippet: `\${1:${name}}: job {\n  $0\n}`,
      rank: 3,
    }),
  ]
}

/** The names that no endpoint or job of a service can have. */
function namesWithin({ name, members }: Service): string[] {
  return [name, ...members.filter(isBlock).map((block) => block.name)]
}

function snippet(
  context: DeclarationContext,
  candidate: Omit<CompletionCandidate, 'span' | 'additionalEdits'>,
): CompletionCandidate {
  return { ...candidate, span: context.cursor.word, additionalEdits: additionalEdits(context) }
}

/** The name, followed by a number if another name has the same form. */
function unusedName(name: string, names: readonly string[], form: (name: string) => string): string {
  // Names with the same form differ only in case. There may be thousands of other names.
  const isUsed = (candidate: string): boolean =>
    names.some(
      (other) =>
        other.length === candidate.length &&
        other.toLowerCase() === candidate.toLowerCase() &&
        form(other) === form(candidate),
    )
  let candidate = name === 'id' ? 'other' : name
  for (let number = 2; isUsed(candidate); number++) candidate = `${name}${number}`
  return candidate
}
