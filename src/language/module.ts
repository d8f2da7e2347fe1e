import {
  createDefaultCoreModule,
  createDefaultSharedCoreModule,
  EmptyFileSystem,
  inject,
  type LangiumCoreServices,
} from 'langium'
import { PorticoGeneratedModule, PorticoGeneratedSharedModule } from './generated/module.ts'

let services: LangiumCoreServices | undefined

/** The services of the language without a file system, made at the first call. */
export function languageServices(): LangiumCoreServices {
  if (services === undefined) {
    const shared = inject(createDefaultSharedCoreModule(EmptyFileSystem), PorticoGeneratedSharedModule)
    services = inject(createDefaultCoreModule({ shared }), PorticoGeneratedModule)
    shared.ServiceRegistry.register(services)
  }
  return services
}
