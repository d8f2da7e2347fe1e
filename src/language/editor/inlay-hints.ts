import type { InlayHintProvider } from 'langium/lsp'
import { type InlayHint, InlayHintKind } from 'vscode-languageserver-protocol'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import { metadataOf } from '../checks/facts.ts'
import type { ArgumentList, Block } from '../generated/ast.ts'
import type { BlockNode } from '../syntax/nodes.ts'
import { isBroken, spanOf } from '../syntax/places.ts'
import type { Read } from '../syntax/read.ts'
import type { Span } from '../syntax/tree.ts'
import { metadataNamed, type Parameter, typeNamed } from '../vocabulary.ts'
import { hasAuthentication, permissionsOf } from './block-markdown.ts'
import { openBrace } from './completion/statement.ts'
import { knownFacts } from './definition-facts.ts'
import { editorDocument } from './document.ts'
import type { EditorSettings } from './settings.ts'

/** What holds though it is not written: names of positional arguments, and access that a block inherits. */
export function inlayHints(settings: () => EditorSettings): InlayHintProvider {
  return {
    getInlayHints(document, { range }) {
      const { read } = editorDocument(document)
      const { textDocument } = document
      const span = { start: textDocument.offsetAt(range.start), end: textDocument.offsetAt(range.end) }
      return hintsIn(read, span, settings().inlayHints).map((hint) => inProtocol(hint, textDocument))
    },
  }
}

/** One hint. */
export interface Hint {
  readonly kind: 'argument' | 'access'
  /** Offset that it stands at. */
  readonly at: number
  readonly label: string
  readonly tooltip: string
  /** What makes it part of the text, inserted where it stands; `undefined` where that alone would be a mistake. */
  readonly insertion: string | undefined
}

/** The hints of everything that begins in a stretch of the text, in its order. */
export function hintsIn(read: Read, span: Span, shown: EditorSettings['inlayHints']): Hint[] {
  const hints: Hint[] = []
  const { tokens } = read.tree
  for (const block of knownFacts(read).blocks) {
    const { $first, $last } = block as BlockNode
    if (tokens.end($last) < span.start) continue
    if (tokens.start($first) > span.end) break
    if (shown.inheritedAccess) hints.push(...accessHints(read, block as BlockNode))
    if (shown.parameterNames) hints.push(...argumentHints(block))
  }
  return hints.filter(({ at }) => at >= span.start && at <= span.end).toSorted((a, b) => a.at - b.at)
}

function argumentHints(block: Block): Hint[] {
  return block.members.flatMap((member) => {
    if (member.$type === 'Block' || isBroken(member)) return []
    if (member.$type === 'Attribute') {
      const parameters = typeNamed(member.type.target.$refText)?.parameters ?? []
      return hintsOf(member.type.arguments, parameters)
    }
    const parameter = metadataNamed(member.name)?.parameter
    // `#language(language: go)` says the same thing twice.
    return parameter === undefined || parameter.name === member.name
      ? []
      : hintsOf(member.arguments, [parameter])
  })
}

function hintsOf(list: ArgumentList | undefined, parameters: readonly Parameter[]): Hint[] {
  const items = list?.items ?? []
  const firstNamed = items.findIndex(({ name }) => name !== undefined)
  const positional = firstNamed < 0 ? items : items.slice(0, firstNamed)
  return positional.flatMap((argument, index) => {
    const parameter = parameters[index]
    if (parameter === undefined) return []
    const isLast = index === positional.length - 1
    return [
      {
        kind: 'argument' as const,
        at: spanOf(argument).start,
        label: `${parameter.name}:`,
        tooltip: parameter.docs,
        // A positional argument cannot stand behind a named one.
        insertion: isLast ? `${parameter.name}: ` : undefined,
      },
    ]
  })
}

/** Without users everybody may do everything, and there is nothing to show. */
function accessHints(read: Read, block: BlockNode): Hint[] {
  if (!hasAuthentication(read) || isBroken(block)) return []
  const isStruct = block.kind === 'struct' && block.$container.$type === 'Block'
  if (block.kind !== 'service' && !isStruct) return []
  const brace = openBrace(block, read.tree.tokens)
  if (brace < 0) return []
  const permissions = permissionsOf(read, block)
  const absent = (['readable', 'writable'] as const).filter((name) => metadataOf(block, name) === undefined)
  if (absent.length === 0) return []
  return [
    {
      kind: 'access',
      at: read.tree.tokens.end(brace),
      label: absent.map((name) => `${name} by: ${permissions[name]}`).join(', '),
      tooltip: reason(read, block, absent),
      insertion: undefined,
    },
  ]
}

function reason(read: Read, block: BlockNode, absent: readonly ('readable' | 'writable')[]): string {
  if (block.$container.$type === 'Block')
    return `A struct has the access of \`${block.$container.name}\`, which it stands in.`
  if (metadataOf(block, 'auth') !== undefined)
    return 'What an `#auth` service does not say itself is `by: this`: the token that created an entity.'
  const { project } = knownFacts(read)
  const isFromProject =
    project !== undefined && absent.some((name) => metadataOf(project, name) !== undefined)
  return isFromProject
    ? 'The project block says so for services that do not.'
    : 'With authentication this holds where nothing else is said.'
}

function inProtocol({ kind, at, label, tooltip, insertion }: Hint, document: TextDocument): InlayHint {
  const position = document.positionAt(at)
  return {
    position,
    label,
    tooltip,
    ...(kind === 'argument' ? { kind: InlayHintKind.Parameter, paddingRight: true } : { paddingLeft: true }),
    ...(insertion === undefined
      ? {}
      : { textEdits: [{ range: { start: position, end: position }, newText: insertion }] }),
  }
}
