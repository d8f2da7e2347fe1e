import {
  createDefaultCoreModule,
  createDefaultSharedCoreModule,
  EmptyFileSystem,
  inject,
  type LangiumCoreServices,
  type LangiumSharedCoreServices,
  type Module,
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

/** All services that differ from Langium's defaults; each file says why. */
export const PorticoModule: Module<PorticoServices, object> = {
  parser: {
    TokenBuilder: () => new PorticoTokenBuilder(),
    ParserErrorMessageProvider: () => new ExpectedTokenNames(),
    Lexer: (services: PorticoServices) => new PorticoLexer(services),
    DefinitionParser: (services: PorticoServices) => new DefinitionParser(services),
    // Langium calls only `parse` of its parser.
    LangiumParser: (services: PorticoServices) => services.parser.DefinitionParser,
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
  const portico = inject(
    createDefaultCoreModule({ shared }),
    PorticoGeneratedModule,
    PorticoModule as unknown as Module<LangiumCoreServices, PorticoAddedServices>,
  )
  shared.ServiceRegistry.register(portico)
  portico.validation.ValidationRegistry.register(CHECKS)
  return { shared, portico }
}
