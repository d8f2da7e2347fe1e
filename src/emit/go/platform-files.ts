import { hasCriteria } from '../../model/criteria.ts'
import { entitiesOf, checksReferences } from '../../model/entities.ts'
import type { AttributeType, Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { readTemplate } from '../codegen/templates.ts'
import type { TargetPart } from '../target.ts'
import { GENERATED } from './go-file.ts'
import { ofModule } from './module.ts'

/** Files of `internal/platform/` that only some platforms use. */
const CONDITIONAL: Readonly<Record<string, (platform: Platform) => boolean>> = {
  'criteria.go': hasCriteria,
  'cursors.go': hasCriteria,
  'dates.go': (platform) => uses(platform, 'date', 'time', 'datetime'),
  'decimal.go': (platform) => uses(platform, 'decimal'),
  'metrics.go': ({ metrics }) => metrics !== undefined,
  'numbers.go': (platform) => uses(platform, 'int', 'float'),
  'parameters.go': (platform) => hasCriteria(platform) && callsServices(platform),
  'references.go': hasReferences,
  'roles.go': ({ authentication }) => authentication !== undefined,
  'search.go': hasCriteria,
  'services.go': callsServices,
  'tokens.go': ({ authentication }) => authentication !== undefined,
}

const ALWAYS = `api.go body.go config.go connect.go database.go environment.go errors.go hooks.go
  listen.go lists.go log.go opentelemetry.go probe.go query.go request.go responses.go router.go
  server.go traces.go types.go values.go platformtest/platformtest.go`.split(/\s+/)
const MIGRATE = ['files.go', 'migrate.go']

function uses(platform: Platform, ...kinds: AttributeType['kind'][]): boolean {
  return platform.services.some((service) =>
    entitiesOf(service).some(({ attributes }) => attributes.some(({ type }) => kinds.includes(type.kind))),
  )
}

function callsServices({ services }: Platform): boolean {
  return services.some(({ calls }) => calls.length > 0)
}

function hasReferences({ services }: Platform): boolean {
  return services.some(
    (service) => service.referenced || service.calls.length > 0 || entitiesOf(service).some(checksReferences),
  )
}

/** `internal/`: what all services share, only the files that they use. */
export function platformFiles({ platform, foreign }: TargetPart): GeneratedFile[] {
  const withForeign = { ...platform, services: [...platform.services, ...foreign] }
  const conditional = Object.entries(CONDITIONAL)
    .filter(([, isUsed]) => isUsed(withForeign))
    .map(([name]) => name)
  const paths = [
    ...[...ALWAYS, ...conditional].map((name) => `internal/platform/${name}`),
    ...MIGRATE.map((name) => `internal/migrate/${name}`),
  ]
  return paths.map((path) => ({
    path,
    content: `${GENERATED}\n\n${ofModule(platform.module, readTemplate(`go/${path}`))}`,
    owner: 'generated',
  }))
}
