import {
  AstUtils,
  type AstNode,
  type AstNodeDescription,
  type CstNode,
  createDefaultCoreModule,
  createDefaultSharedCoreModule,
  DefaultNameProvider,
  DefaultScopeComputation,
  DefaultScopeProvider,
  type DocumentValidator,
  EmptyFileSystem,
  type Grammar,
  GrammarAST,
  inject,
  type LangiumCoreServices,
  type LangiumDocument,
  type LangiumParser,
  type LangiumSharedCoreServices,
  type Module,
  type ParseResult,
  type PartialLangiumCoreServices,
  type ReferenceInfo,
  type Scope,
} from 'langium'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { documentationOf } from './documentation.ts'
import { type Definition, isAttributeType } from './generated/ast.ts'
import { PorticoGeneratedModule, PorticoGeneratedSharedModule } from './generated/module.ts'
import { checkText } from './parse.ts'
import { namesInScope } from './scope.ts'
import { read } from './syntax/read.ts'
import { AttributeNode, BlockNode, nameLeaf } from './syntax/nodes.ts'
import type { GrammarSource } from './syntax/tree.ts'

/**
 * The language as Langium services: what an editor is built on. Texts are read and checked by the same
 * functions as on the command line, which does not load Langium at all.
 */
export const porticoModule: Module<LangiumCoreServices, PartialLangiumCoreServices> = {
  documentation: {
    DocumentationProvider: () => ({ getDocumentation: (node) => documentationOf(node) || undefined }),
  },
  parser: {
    // Services use no more of a parser than this.
    LangiumParser: (services) => {
      const grammarSource = elementsOf(services.Grammar)
      return { parse: (text: string) => parseDefinition(text, grammarSource) } as unknown as LangiumParser
    },
  },
  references: {
    NameProvider: () => new PorticoNameProvider(),
    ScopeComputation: (services) => new NothingExported(services),
    ScopeProvider: (services) => new PorticoScopeProvider(services),
  },
  validation: {
    DocumentValidator: () => ({ validateDocument }),
  },
}

/** The services of the language without a file system. */
export function createPorticoServices(): { shared: LangiumSharedCoreServices; portico: LangiumCoreServices } {
  const shared = inject(createDefaultSharedCoreModule(EmptyFileSystem), PorticoGeneratedSharedModule)
  const portico = inject(createDefaultCoreModule({ shared }), PorticoGeneratedModule, porticoModule)
  shared.ServiceRegistry.register(portico)
  return { shared, portico }
}

/** What does not follow the grammar is reported by the validator, in our own words. */
function parseDefinition(text: string, grammarSource: GrammarSource): ParseResult<Definition> {
  const { definition } = read(text, grammarSource)
  AstUtils.linkContentToContainer(definition, { deep: true })
  return { value: definition, parserErrors: [], lexerErrors: [] }
}

/** The elements of the grammar by the node that their rule makes, and their property or keyword. */
function elementsOf(grammar: Grammar): GrammarSource {
  const elements = new Map<string, GrammarAST.AbstractElement>()
  for (const rule of grammar.rules.filter(GrammarAST.isParserRule)) {
    for (const node of AstUtils.streamAst(rule)) {
      if (GrammarAST.isAssignment(node)) elements.set(`${rule.name} ${node.feature}`, node.terminal)
      else if (GrammarAST.isKeyword(node) && !GrammarAST.isAssignment(node.$container))
        elements.set(`${rule.name} ${node.value}`, node)
    }
  }
  return (nodeType, feature) => elements.get(`${nodeType} ${feature}`)
}

const SEVERITIES = { error: 1, warning: 2, hint: 4 } as const

/** The diagnostics of a document in the form of the language server protocol. */
async function validateDocument(
  document: LangiumDocument,
): ReturnType<DocumentValidator['validateDocument']> {
  const uri = document.uri.toString()
  const rangeOf = ({ start, end }: Diagnostic['range']): CstNode['range'] => ({
    start: document.textDocument.positionAt(start.offset),
    end: document.textDocument.positionAt(end.offset),
  })
  return checkText(document.textDocument.getText()).diagnostics.map((diagnostic) => ({
    range: rangeOf(diagnostic.range),
    severity: SEVERITIES[diagnostic.severity],
    code: diagnostic.code,
    source: 'portico',
    message: diagnostic.message,
    relatedInformation: diagnostic.related.map(({ range, message }) => ({
      location: { uri, range: rangeOf(range) },
      message,
    })),
    data: diagnostic.data,
  }))
}

/** Definitions in one workspace do not see each other's names. */
class NothingExported extends DefaultScopeComputation {
  override async collectExportedSymbols(): Promise<AstNodeDescription[]> {
    return []
  }
}

class PorticoScopeProvider extends DefaultScopeProvider {
  override getScope({ container }: ReferenceInfo): Scope {
    if (!isAttributeType(container)) return this.createScope([])
    return this.createScopeForNodes(namesInScope(container))
  }
}

class PorticoNameProvider extends DefaultNameProvider {
  override getNameNode(node: AstNode): CstNode | undefined {
    return node instanceof BlockNode || node instanceof AttributeNode ? nameLeaf(node) : undefined
  }
}
