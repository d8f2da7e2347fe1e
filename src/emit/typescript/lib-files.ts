import { hasCriteria } from '../../model/criteria.ts'
import type { AttributeType, Entity, Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import type { TargetPart } from '../target.ts'
import { readTemplate } from '../codegen/templates.ts'
import {
  entitiesOf,
  hasOperation,
  requestAttributes,
  requestReferences,
  checksReferences,
} from '../../model/entities.ts'

/** Whether a platform uses a file of `lib/`, by its services, and by those and the ones in other languages that they call. */
const FILES: Readonly<Record<string, (platform: Platform, withForeign: Platform) => boolean>> = {
  'api.ts': always,
  'config.ts': always,
  'database.ts': always,
  'dates.ts': (_, withForeign) => checks(withForeign, 'date', 'time', 'datetime'),
  'decimal.ts': (_, withForeign) => checks(withForeign, 'decimal'),
  'env-file.ts': always,
  'errors.ts': always,
  'filters.ts': (_, withForeign) => hasCriteria(withForeign),
  'hooks.ts': always,
  'imports.ts': always,
  // Filters read the parameters of pages.
  'lists.ts': (platform, withForeign) => hasLists(platform) || hasCriteria(withForeign),
  'log.ts': always,
  'metrics.ts': ({ metrics }) => metrics !== undefined,
  'migrate.ts': always,
  'migration-files.ts': always,
  'migration-state.ts': always,
  'observe.ts': always,
  'opentelemetry.ts': always,
  'public.ts': ({ services }) => services.some(({ publicPaths }) => publicPaths.length > 0),
  'queries.ts': always,
  'references.ts': hasReferences,
  'requests.ts': always,
  'roles.ts': hasRoles,
  'search.ts': hasCriteria,
  'server.ts': always,
  'services.ts': ({ services }) => services.some(({ calls }) => calls.length > 0),
  'siblings.ts': checksSiblings,
  'testing.ts': always,
  'tokens.ts': ({ authentication }) => authentication !== undefined,
  'traces.ts': always,
  'values.ts': always,
}

function always(): boolean {
  return true
}

/** Whether a platform checks values of some kinds: in requests, and in the cursors of lists in an order. */
function checks(platform: Platform, ...kinds: AttributeType['kind'][]): boolean {
  return (
    hasCriteria(platform) ||
    entities(platform)
      .flatMap(requestAttributes)
      .some(({ type }) => kinds.includes(type.kind))
  )
}

function entities({ services }: Platform): Entity[] {
  return services.flatMap(entitiesOf)
}

function checksSiblings(platform: Platform): boolean {
  return entities(platform)
    .filter(checksReferences)
    .flatMap(requestReferences)
    .some(({ type }) => type.kind === 'sibling')
}

function hasRoles({ authentication }: Platform): boolean {
  return authentication !== undefined && authentication.roles.length > 0
}

function hasLists(platform: Platform): boolean {
  return entities(platform).some((entity) => hasOperation(entity, 'list'))
}

function hasReferences(platform: Platform): boolean {
  return platform.services.some(({ referenced }) => referenced) || entities(platform).some(checksReferences)
}

/** `lib/`: what all services share, only the files that they use. */
export function libFiles({ platform, foreign }: TargetPart): GeneratedFile[] {
  // The types of foreign services are those of values and filters.
  const withForeign = { ...platform, services: [...platform.services, ...foreign] }
  return Object.entries(FILES)
    .filter(([, isUsed]) => isUsed(platform, withForeign))
    .map(([name]) => ({
      path: `lib/${name}`,
      content: readTemplate(`typescript/lib/${name}`),
      owner: 'generated',
    }))
}
