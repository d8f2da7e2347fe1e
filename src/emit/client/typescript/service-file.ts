import { withArticle } from '../../../model/names.ts'
import type { Entity, Platform, Service } from '../../../model/platform.ts'
import { type Code, code, join, print } from '../../kit/layout.ts'
import { docComment } from '../../typescript/documentation.ts'
import { property } from './attributes.ts'
import { type ClientFunction, implementation, signature } from './functions.ts'
import type { ClientTypeNames } from './type-names.ts'

/** The function that makes the API of a service from a connection. */
export function apiFunction({ names }: Service): string {
  return `${names.camel}Api`
}

/** `services/<service>.ts`: the types of its entity and structs, and what can be asked of them. */
export function serviceFile(platform: Platform, service: Service, types: ClientTypeNames): string {
  const entities: Entity[] = [service.entity, ...service.structs]
  const functions = entities.flatMap((entity) =>
    entity.endpoints.map((endpoint): ClientFunction => ({ platform, service, entity, endpoint, types })),
  )
  const api = types.api(service)
  const parts = [
    imports(functions),
    ...entities.flatMap((entity) => entityTypes(entity, types)),
    code`/** What can be asked of ${service.names.declared}. */
export interface ${api} {
${join(functions.map(signature), '\n\n')}
}`,
    code`/** Asks ${service.names.declared} through a connection. */
export function ${apiFunction(service)}(connection: Connection): ${api} {
  return {
${join(
  functions.map((scope) => code`${implementation(scope)},`),
  '\n',
)}
  }
}`,
  ]
  return `${print(join(parts, '\n\n'))}\n`
}

function imports(functions: readonly ClientFunction[]): Code {
  const operations = new Set(functions.map(({ endpoint }) => endpoint.operation))
  const lists = operations.has('list')
  const calls = functions.some(({ endpoint }) => endpoint.operation !== 'list')
  const paths = functions.some(
    ({ entity, endpoint }) => 'parent' in entity || endpoint.paths[0].includes('{'),
  )
  const fromConnection = [
    ...(calls ? ['type CallOptions'] : []),
    'type Connection',
    ...(paths ? ['pathOf'] : []),
  ]
  const connection = paths
    ? `import { ${fromConnection.join(', ')} } from '../connection.js'`
    : `import type { ${fromConnection.map((name) => name.replace('type ', '')).join(', ')} } from '../connection.js'`
  return [
    connection,
    ...(lists ? ["import { type ListOptions, listOf, type Pages } from '../pages.js'"] : []),
    ...(calls ? ["import type { Result } from '../result.js'"] : []),
  ].join('\n')
}

function entityTypes(entity: Entity, types: ClientTypeNames): string[] {
  const { answer, request } = types.of(entity)
  const { declared } = entity.names
  const answered = entity.attributes.filter((attribute) => attribute.answered)
  const requested = entity.attributes.filter((attribute) => attribute.requested)
  const has = (...operations: readonly string[]): boolean =>
    entity.endpoints.some(({ operation }) => operations.includes(operation))
  return [
    ...(has('create', 'read', 'update', 'list')
      ? [
          `${docComment(entity.documentation || `${declared}, as it is answered.`)}export interface ${answer} {
${['  /** Given by the service. */\n  readonly id: string', ...answered.map(property)].join('\n')}
}`,
        ]
      : []),
    ...(has('create', 'update') && requested.length > 0
      ? [
          `/** What is sent to create or update ${withArticle(declared)}. */
export interface ${request} {
${requested.map(property).join('\n')}
}`,
        ]
      : []),
  ]
}
