import { accessText } from '../access.ts'
import type { InlayHintProvider } from 'langium/lsp'
import { type InlayHint, InlayHintKind } from 'vscode-languageserver-protocol'
import { metadataNamed, metadataParameters, type Parameter, typeNamed } from '../language/builtins.ts'
import { type Arguments, type Block, isBlock, isService, isStruct } from '../language/generated/ast.ts'
import { openingBrace, spanOf } from '../language/nodes.ts'
import type { DefinitionParseResult } from '../language/parse-result.ts'
import { hasParseError } from '../language/parser/parse-errors.ts'
import type { Span } from '../language/raw-diagnostic.ts'
import { definitionIndex, metadataOf } from '../language/validation/definition-index.ts'
import { hasAuthentication, accessRulesOf } from './block-markdown.ts'
import type { DocumentView } from './definition-view.ts'
import type { Definitions } from './definitions.ts'
import type { EditorSettings } from './editor-settings.ts'

/** Shows what the text leaves out: names of positional arguments, and access that a block inherits. */
export function inlayHints(definitions: Definitions, settings: () => EditorSettings): InlayHintProvider {
  return {
    getInlayHints(document, { range }) {
      const view = definitions.view(document)
      return inlayHintsIn(view.result, view.spanOf(range), settings().inlayHints).map((hint) =>
        inProtocol(hint, view),
      )
    },
  }
}

/** One hint. */
export interface OffsetInlayHint {
  readonly kind: 'argument' | 'access'
  /** The offset at which it is shown. */
  readonly at: number
  readonly label: string
  readonly tooltip: string
  /** The text to insert at `at` to make the hint part of the definition; `undefined` if the result would be invalid. */
  readonly insertion: string | undefined
}

/** The hints of everything that begins in a range, in the order of the text. */
export function inlayHintsIn(
  result: DefinitionParseResult,
  span: Span,
  shown: EditorSettings['inlayHints'],
): OffsetInlayHint[] {
  const hints: OffsetInlayHint[] = []
  for (const block of definitionIndex(result.value).blocks) {
    const { start, end } = spanOf(block)
    if (end < span.start) continue
    if (start > span.end) break
    if (shown.inheritedAccess) hints.push(...accessHints(result, block))
    if (shown.parameterNames) hints.push(...argumentHints(block))
  }
  return hints.filter(({ at }) => at >= span.start && at <= span.end).toSorted((a, b) => a.at - b.at)
}

function argumentHints(block: Block): OffsetInlayHint[] {
  return block.members.flatMap((member) => {
    if (isBlock(member) || hasParseError(member)) return []
    if (member.$type === 'Attribute') {
      const { type } = member
      const parameters = type.$type === 'PrimitiveType' ? (typeNamed(type.name)?.parameters ?? []) : []
      return hintsOf(type.arguments, parameters)
    }
    const entry = metadataNamed(member.name)
    // `#language(language: go)` would repeat the name.
    return entry === undefined || entry.parameter?.name === member.name
      ? []
      : hintsOf(member.arguments, metadataParameters(entry))
  })
}

function hintsOf(list: Arguments | undefined, parameters: readonly Parameter[]): OffsetInlayHint[] {
  const items = list?.items ?? []
  const firstNamed = items.findIndex(({ name }) => name !== undefined)
  const positional = firstNamed < 0 ? items : items.slice(0, firstNamed)
  return positional.flatMap((argument, index) => {
    const parameter = parameters[index]
    // These arguments do not set the parameter at their position, so its name would be wrong.
    if (parameter === undefined || parameter.kind === 'values' || parameter.byName) return []
    const isLast = index === positional.length - 1
    return [
      {
        kind: 'argument' as const,
        at: spanOf(argument).start,
        label: `${parameter.name}:`,
        tooltip: parameter.docs,
        // A positional argument cannot follow a named one.
        insertion: isLast ? `${parameter.name}: ` : undefined,
      },
    ]
  })
}

/** Returns no hints without authentication, because everyone has access to everything. */
function accessHints(result: DefinitionParseResult, block: Block): OffsetInlayHint[] {
  if (!hasAuthentication(result) || hasParseError(block)) return []
  if (!isService(block) && !(isStruct(block) && isBlock(block.$container))) return []
  const brace = openingBrace(block)
  if (brace === undefined) return []
  const permissions = accessRulesOf(result, block)
  const absent = (['readable', 'writable'] as const).filter((name) => metadataOf(block, name) === undefined)
  if (absent.length === 0) return []
  return [
    {
      kind: 'access',
      at: brace.end,
      label: absent.map((name) => `${name} by: ${accessText(permissions[name])}`).join(', '),
      tooltip: reason(result, block, absent),
      insertion: undefined,
    },
  ]
}

function reason(
  result: DefinitionParseResult,
  block: Block,
  absent: readonly ('readable' | 'writable')[],
): string {
  if (isBlock(block.$container)) return `A struct inherits the access of \`${block.$container.name}\`.`
  if (metadataOf(block, 'auth') !== undefined)
    return 'The default of a service with `#auth` is `by: this`: the user who created the entity.'
  const { project } = definitionIndex(result.value)
  const isFromProject =
    project !== undefined && absent.some((name) => metadataOf(project, name) !== undefined)
  return isFromProject ? 'The default of the project.' : 'The default with authentication.'
}

function inProtocol({ kind, at, label, tooltip, insertion }: OffsetInlayHint, view: DocumentView): InlayHint {
  const position = view.rangeOf({ start: at, end: at }).start
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
