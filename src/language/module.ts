import {
  createDefaultCoreModule,
  createDefaultSharedCoreModule,
  EmptyFileSystem,
  inject,
  type LangiumCoreServices,
  type LangiumParser,
  type LangiumSharedCoreServices,
  type Module,
  type PartialLangiumCoreServices,
} from 'langium'
import { PorticoGeneratedModule, PorticoGeneratedSharedModule } from './generated/module.ts'
import { PorticoLinker } from './linker.ts'
import { DefinitionParser } from './parser/definition-parser.ts'
import { PorticoLexer } from './parser/lexer.ts'
import { ExpectedTokenNames } from './parser/rule-parser.ts'
import { PorticoTokenBuilder } from './parser/token-builder.ts'
import { PorticoScopeProvider } from './scope.ts'
import { CHECKS } from './validation/checks.ts'
import { DefinitionValidator, SynchronousRegistry } from './validation/validator.ts'

/** The services that Portico adds to Langium's. */
export interface PorticoAddedServices {
  readonly parser: { readonly DefinitionParser: DefinitionParser }
  readonly validation: { readonly DocumentValidator: DefinitionValidator }
}

/** Langium's and Portico's services. */
export type PorticoServices = LangiumCoreServices & PorticoAddedServices

/**
 * All services that differ from Langium's defaults; each file says why, and what it gains. Besides these, the grammar is
 * loaded by `load-grammar.ts`, and the parser uses its own `build-rules.ts`, `cst.ts` and `segment-bounds.ts`. The
 * language server adds those in `src/lsp/module.ts`.
 */
export const PorticoModule: Module<PorticoServices, PartialLangiumCoreServices & PorticoAddedServices> = {
  parser: {
    TokenBuilder: () => new PorticoTokenBuilder(),
    ParserErrorMessageProvider: () => new ExpectedTokenNames(),
    Lexer: (services: PorticoServices) => new PorticoLexer(services),
    DefinitionParser: (services: PorticoServices) => new DefinitionParser(services),
    // Langium calls only `parse` of its parser, but the type is a class whose private members nothing else can have.
    LangiumParser: (services: PorticoServices) =>
      services.parser.DefinitionParser as unknown as LangiumParser,
  },
  references: {
    ScopeProvider: () => new PorticoScopeProvider(),
    Linker: (services: PorticoServices) => new PorticoLinker(services),
  },
  validation: {
    ValidationRegistry: (services: PorticoServices) => new SynchronousRegistry(services),
    DocumentValidator: (services: PorticoServices) => new DefinitionValidator(services),
  },
}

/** The services of the language without those of an editor: what the command line uses. */
export function createPorticoServices(): { shared: LangiumSharedCoreServices; portico: PorticoServices } {
  const shared = inject(createDefaultSharedCoreModule(EmptyFileSystem), PorticoGeneratedSharedModule)
  const portico = inject(createDefaultCoreModule({ shared }), PorticoGeneratedModule, PorticoModule)
  shared.ServiceRegistry.register(portico)
  portico.validation.ValidationRegistry.register(CHECKS)
  return { shared, portico }
}
