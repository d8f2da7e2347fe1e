import {
  type AstNode,
  AstUtils,
  createDefaultCoreModule,
  createDefaultSharedCoreModule,
  type CstNode,
  CstUtils,
  DefaultAstNodeLocator,
  DefaultLinker,
  DefaultTokenBuilder,
  DocumentState,
  EmptyFileSystem,
  GrammarUtils,
  inject,
  type LangiumCoreServices,
  type LeafCstNode,
  type Module,
  type Reference,
  URI,
} from 'langium'
import { isDefinition } from '../../src/language/generated/ast.ts'
import { PorticoGeneratedModule, PorticoGeneratedSharedModule } from '../../src/language/generated/module.ts'
import { PorticoScopeProvider } from '../../src/language/scope.ts'

type Tokens = ReturnType<DefaultTokenBuilder['buildTokens']>

/** Langium's own tokens, and what makes the language reserve no word. */
class UnreservedTokenBuilder extends DefaultTokenBuilder {
  override buildTokens(...given: Parameters<DefaultTokenBuilder['buildTokens']>): Tokens {
    const tokens = Object.values(super.buildTokens(...given))
    const identifier = tokens.filter(({ name }) => name === 'ID')
    for (const token of tokens)
      if (typeof token.PATTERN === 'string' && /^\w/.test(token.PATTERN))
        Object.assign(token, { CATEGORIES: identifier, LONGER_ALT: identifier })
    return tokens
  }
}

// Langium as it comes, with its own lexer, parser and linker. Only the scopes are those of the language.
const shared = inject(createDefaultSharedCoreModule(EmptyFileSystem), PorticoGeneratedSharedModule)
const plainModule: Module<LangiumCoreServices, object> = {
  parser: { TokenBuilder: () => new UnreservedTokenBuilder() },
  references: { ScopeProvider: () => new PorticoScopeProvider() },
}
const services = inject(createDefaultCoreModule({ shared }), PorticoGeneratedModule, plainModule)
shared.ServiceRegistry.register(services)

const locator = new DefaultAstNodeLocator()

/** The tree that Langium's parser and linker make of a text; `undefined` if it is not a definition. */
export async function byLangium(text: string): Promise<unknown> {
  const document = shared.workspace.LangiumDocumentFactory.fromString(text, URI.parse('plain:/a.portico'))
  const { value, lexerErrors, parserErrors } = document.parseResult
  if (lexerErrors.length + parserErrors.length > 0) return undefined
  document.state = DocumentState.ComputedScopes
  await services.references.Linker.link(document)
  return described(value)
}

/** A tree in a form to compare: its nodes, what they refer to, and where its properties and tokens are. */
export function described(root: AstNode): unknown {
  const leaves = root.$cstNode === undefined ? [] : CstUtils.flattenCst(root.$cstNode).toArray()
  return { tree: describedNode(root), tokens: leaves.filter(({ hidden }) => !hidden).map(describedLeaf) }
}

function describedNode(node: AstNode): unknown {
  const { $cstNode } = node
  const properties = propertiesOf(node).map(([key, value]): [string, unknown] => [
    key,
    [describedValue(value), GrammarUtils.findNodesForProperty($cstNode, key).map(placeOf)],
  ])
  // A definition without declarations is nowhere, or in its comments.
  const isEmpty = isDefinition(node) && node.imports.length + node.members.length === 0
  return {
    $type: node.$type,
    $place: isEmpty ? undefined : $cstNode && placeOf($cstNode),
    ...Object.fromEntries(properties.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** The properties of a node, without Langium's own. */
function propertiesOf(node: AstNode): [string, unknown][] {
  return Object.entries(node).filter(([key, value]) => !key.startsWith('$') && value !== undefined)
}

function describedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(describedValue)
  if (typeof value !== 'object' || value === null) return value
  return '$refText' in value ? describedReference(value as Reference) : describedNode(value as AstNode)
}

function describedReference({ ref, error, $refText, $refNode, $nodeDescription }: Reference): unknown {
  return {
    $refText,
    $place: $refNode && placeOf($refNode),
    target: ref && locator.getAstNodePath(ref),
    description: $nodeDescription && [$nodeDescription.type, $nodeDescription.name],
    isUnknown: error !== undefined,
  }
}

function describedLeaf(leaf: LeafCstNode): unknown {
  const { astNode, grammarSource, text, tokenType } = leaf
  return [
    text,
    tokenType.name,
    placeOf(leaf),
    locator.getAstNodePath(astNode),
    grammarSource && locator.getAstNodePath(grammarSource),
  ]
}

function placeOf({ offset, end, length, range }: CstNode): unknown {
  return [offset, end, length, range]
}

/** The references in a tree that do not lead where Langium's linker finds their target. */
export function wrongLinks(root: AstNode): string[] {
  const linker = new DefaultLinker(services)
  return AstUtils.streamAst(root)
    .flatMap((node) => AstUtils.streamReferences(node))
    .filter((info) => {
      const reference = info.reference as Reference
      const candidate = linker.getCandidate(info)
      const target = 'node' in candidate ? candidate.node : undefined
      return reference.ref !== target || (reference.error === undefined) !== (target !== undefined)
    })
    .map(({ container, property }) => `${locator.getAstNodePath(container)}/${property}`)
    .toArray()
}
