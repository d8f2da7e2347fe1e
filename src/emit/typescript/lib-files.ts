import { hasCriteria } from '../../model/criteria.ts'
import type { AttributeType, Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { readTemplate } from '../codegen/templates.ts'
import { checksReferences } from './scope.ts'
import { entitiesOf, hasOperation } from '../../model/entities.ts'

/** Whether a platform uses a file of `lib/`. */
const FILES: Readonly<Record<string, (platform: Platform) => boolean>> = {
  'api.ts': always,
  'config.ts': always,
  'database.ts': always,
  // Cursors of lists in an order can hold decimals.
  'decimal.ts': (platform) => kindsOf(platform).includes('decimal') || hasCriteria(platform),
  'errors.ts': always,
  'filters.ts': hasCriteria,
  'hooks.ts': always,
  'imports.ts': always,
  'lists.ts': hasLists,
  'log.ts': always,
  'metrics.ts': ({ metrics }) => metrics !== undefined,
  'migrate.ts': always,
  'migration-files.ts': always,
  'migration-state.ts': always,
  'opentelemetry.ts': always,
  'public.ts': ({ services }) => services.some(({ publicPaths }) => publicPaths.length > 0),
  'queries.ts': always,
  'references.ts': hasReferences,
  'requests.ts': always,
  'roles.ts': hasRoles,
  'search.ts': hasCriteria,
  'server.ts': always,
  'services.ts': ({ services }) => services.some(({ calls }) => calls.length > 0),
  'statements.ts': always,
  'testing.ts': always,
  'tokens.ts': ({ authentication }) => authentication !== undefined,
  'traces.ts': always,
  'values.ts': always,
}

function always(): boolean {
  return true
}

/** The kinds of all attributes. */
function kindsOf({ services }: Platform): AttributeType['kind'][] {
  return services.flatMap((service) =>
    entitiesOf(service).flatMap(({ attributes }) => attributes.map(({ type }) => type.kind)),
  )
}

function hasRoles({ authentication }: Platform): boolean {
  return authentication !== undefined && authentication.roles.length > 0
}

function hasLists({ services }: Platform): boolean {
  return services.some((service) => entitiesOf(service).some((entity) => hasOperation(entity, 'list')))
}

function hasReferences({ services }: Platform): boolean {
  return services.some((service) => service.referenced || entitiesOf(service).some(checksReferences))
}

/** `lib/`: what all services share, only the files that the platform uses. */
export function emitLib(platform: Platform): GeneratedFile[] {
  return Object.entries(FILES)
    .filter(([, isUsed]) => isUsed(platform))
    .map(([name]) => ({ path: `lib/${name}`, content: readTemplate(`lib/${name}`), owner: 'generated' }))
}
