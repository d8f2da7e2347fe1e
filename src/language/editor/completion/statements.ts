import { camelCase, kebabCase, snakeCase } from '../../../model/names.ts'
import type { Block } from '../../generated/ast.ts'
import { NAME, OPEN_BRACE } from '../../syntax/tokens.ts'
import { isBlockKind, TYPES } from '../../vocabulary.ts'
import { knownFacts } from '../definition-facts.ts'
import { kindMarkdown } from '../vocabulary-markdown.ts'
import { isTerminated, metadataOffers } from './metadata.ts'
import type { FurtherEdit, Offer } from './offer.ts'
import type { Statement } from './statement.ts'
import { firstReferableFrom } from './types.ts'

const MOST_CHOICES = 10

/** Whole declarations: blocks, attributes and metadata. `behind` is a token that lacks its `;`. */
export function statementOffers(statement: Statement, behind: number | undefined): Offer[] {
  const { holder, read, word } = statement
  if (isHead(statement)) return []
  const further: FurtherEdit[] = behind === undefined ? [] : [{ at: read.tree.tokens.end(behind), text: ';' }]
  if (holder.$type === 'Definition') return topBlocks(statement, further)
  const metadata = metadataOffers(statement, { span: word, hash: '', current: undefined, further })
  if (holder.kind === 'project') return metadata
  if (holder.kind !== 'service' && holder.kind !== 'struct') return []
  return [
    ...attributeSnippets(statement, holder, further),
    ...structSnippet(statement, holder, further),
    ...metadata,
  ]
}

/** Behind the word a kind and a `{` stand: it is the name of a block, which lacks its `:`. */
function isHead({ read, next }: Statement): boolean {
  const { tokens, lines } = read.tree
  const isKind = tokens.kind(next) === NAME && isBlockKind(tokens.textOf(next))
  return isKind && tokens.kind(next + 1) === OPEN_BRACE && !lines.beginsLine(tokens.start(next))
}

function topBlocks(statement: Statement, further: readonly FurtherEdit[]): Offer[] {
  const { project, blocks } = knownFacts(statement.read)
  const names = blocks.map((block) => block.name)
  const service = snippet(statement, further, {
    label: 'service',
    documentation: kindMarkdown('service'),
    snippet: `\${1:${fresh('Item', names, kebabCase)}}: service {\n  \${2:name}: \${3:string};\n}`,
    rank: 0,
  })
  if (project !== undefined) return [service]
  const name = fresh('MyProject', names, kebabCase)
  return [
    snippet(statement, further, {
      label: 'project',
      documentation: kindMarkdown('project'),
      snippet: `\${1:${name}}: project {\n  $0\n}`,
      rank: 0,
    }),
    service,
  ]
}

function attributeSnippets(statement: Statement, holder: Block, further: readonly FurtherEdit[]): Offer[] {
  const terminator = isTerminated(statement) ? '' : ';'
  const columns = columnsOf(holder)
  const types = TYPES.map(({ name }) => name).toSorted(
    (a, b) => Number(b === 'string') - Number(a === 'string'),
  )
  const attribute = snippet(statement, further, {
    label: 'attribute',
    documentation: 'A value of a built-in type.',
    snippet: `\${1:${fresh('name', columns, snakeCase)}}: \${2|${types.join(',')}|}${terminator}`,
    rank: 0,
  })
  const targets = firstReferableFrom(statement, holder, MOST_CHOICES)
  const [first] = targets
  if (first === undefined) return [attribute]
  const type =
    targets.length === 1 ? `\${2:${first.name}}` : `\${2|${targets.map(({ name }) => name).join(',')}|}`
  const reference = snippet(statement, further, {
    label: 'reference',
    documentation: 'The id of an entity of a service, or of an entry of a sibling struct: a foreign key.',
    snippet: `\${1:${fresh(camelCase(first.name), columns, snakeCase)}}: ${type}${terminator}`,
    rank: 1,
  })
  return [attribute, reference]
}

function structSnippet(statement: Statement, holder: Block, further: readonly FurtherEdit[]): Offer[] {
  if (holder.kind !== 'service') return []
  const names = knownFacts(statement.read).blocks.map(({ name }) => name)
  return [
    snippet(statement, further, {
      label: 'struct',
      documentation: kindMarkdown('struct'),
      snippet: `\${1:${fresh('Entry', names, kebabCase)}}: struct {\n  \${2:name}: \${3:string};\n}`,
      rank: 2,
    }),
  ]
}

function snippet(
  { word }: Statement,
  further: readonly FurtherEdit[],
  offer: Pick<Offer, 'label' | 'snippet' | 'rank'> & { readonly documentation: string },
): Offer {
  return { ...offer, kind: 'snippet', span: word, further }
}

function columnsOf(holder: Block): string[] {
  return holder.members.flatMap((member) => (member.$type === 'Attribute' ? [member.name] : []))
}

/** The name, with a number where another one has the same form. */
function fresh(name: string, taken: readonly string[], form: (name: string) => string): string {
  // Names of one form are the same but for their capitals; there may be thousands that are not.
  const isTaken = (candidate: string): boolean =>
    taken.some(
      (other) =>
        other.length === candidate.length &&
        other.toLowerCase() === candidate.toLowerCase() &&
        form(other) === form(candidate),
    )
  let candidate = name === 'id' ? 'other' : name
  for (let number = 2; isTaken(candidate); number++) candidate = `${name}${number}`
  return candidate
}
