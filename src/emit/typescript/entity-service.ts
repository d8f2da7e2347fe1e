import type { Entity, Platform, Service } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { accessFile } from './access-file.ts'
import { checksReferences, has, type ServiceScope, scopeOf } from './access.ts'
import { appFile, contextFile, internalRoutesFile } from './app.ts'
import { requested, requestedReferences, stored } from './attributes.ts'
import { commFile } from './comm.ts'
import { configFile } from './config.ts'
import { dataAccessFile, preparedFile } from './data-access.ts'
import type { DependencySet } from './dependencies.ts'
import { entitiesFile } from './entities.ts'
import { hooksFile } from './hooks.ts'
import { packageFiles } from './package-files.ts'
import { routesFile } from './routes.ts'
import { schemaFile } from './schema.ts'
import { copies, shellFiles } from './shell.ts'
import { serviceFile } from './start.ts'
import { statementsFile } from './statements.ts'
import { structStatementsFile } from './struct-statements.ts'
import { datastoreText, setupText } from './user-files.ts'
import { isSent, wireFile } from './wire.ts'

/** The directories of all services in TypeScript. */
export function entityServices(platform: Platform): GeneratedFile[] {
  return platform.services
    .filter(({ language }) => language === 'typescript')
    .flatMap((service) => entityService(platform, service))
}

function entityService(platform: Platform, service: Service): GeneratedFile[] {
  const scope = scopeOf(platform, service)
  const { authenticated } = scope
  const { directory, entity, structs } = service
  const entities = [entity, ...structs]
  const emitted: [string, string | undefined][] = [
    ['access.ts', accessFile(scope)],
    ['app.ts', appFile(scope)],
    ['comm.ts', service.calls.length > 0 ? commFile(platform, service) : undefined],
    ['config.ts', configFile(platform, service)],
    ['context.ts', contextFile(scope)],
    ['data-access.ts', dataAccessFile(scope)],
    ['entities.ts', entitiesFile(service)],
    ['hooks.ts', hooksFile(scope)],
    ['schema.ts', schemaFile(scope)],
    ['service.ts', serviceFile(scope)],
    ['statements.ts', preparedFile(scope)],
    [`statements/${entity.names.kebab}.ts`, statementsFile(scope)],
    ...structs.map((struct): [string, string] => [
      `statements/${struct.names.kebab}.ts`,
      structStatementsFile(scope, struct),
    ]),
    ...entities.flatMap((holder): [string, string | undefined][] => [
      [`routes/${holder.names.kebab}.ts`, routesFile(scope, holder)],
      [`wire/${holder.names.kebab}.ts`, wireFile(service, holder)],
    ]),
    ['routes/internal.ts', scope.called ? internalRoutesFile(scope) : undefined],
  ]
  return [
    ...packageFiles(directory, dependencySet(scope)),
    ...shellFiles(directory, authenticated),
    ...copies(directory, templatesOf(scope)),
    ...emitted.flatMap(([name, content]): GeneratedFile[] =>
      content === undefined ? [] : [{ path: `${directory}/src/${name}`, content, owner: 'generated' }],
    ),
    { path: `${directory}/src/setup.ts`, content: setupText(scope), owner: 'user' },
    { path: `${directory}/src/datastore.ts`, content: datastoreText(scope), owner: 'user' },
  ]
}

function dependencySet({ service, authenticated }: ServiceScope): DependencySet {
  if (service.calls.length === 0) return authenticated ? 'authenticated' : 'plain'
  return authenticated ? 'authenticatedCalling' : 'calling'
}

/** The templates that a service needs, by the attributes and operations that it has. */
function templatesOf(scope: ServiceScope): string[] {
  const { service, called } = scope
  const entities: Entity[] = [service.entity, ...service.structs]
  const sent = entities.filter(isSent)
  const references = entities.some(checksReferences)
  const siblings = sent.some((entity) =>
    requestedReferences(entity).some(({ type }) => type.kind === 'sibling'),
  )
  const columns = new Set(entities.flatMap((entity) => stored(entity).map(({ type }) => type.kind)))
  const read = new Set(sent.flatMap((entity) => requested(entity).map(({ type }) => type.kind)))
  const data = entities.some((entity) =>
    stored(entity).some(({ answered, type }) => answered && type.kind === 'data'),
  )
  const dated = read.has('date') || read.has('time') || read.has('datetime')
  const wanted: [boolean, string][] = [
    [true, 'answers.ts'],
    [true, 'api.ts'],
    [sent.length > 0, 'body.ts'],
    [columns.has('datetime') || columns.has('data'), 'column-types.ts'],
    [true, 'errors.ts'],
    [entities.some(({ endpoints }) => endpoints.length > 0), 'hook-lists.ts'],
    [true, 'ids.ts'],
    [sent.length > 0, 'json.ts'],
    [entities.some((entity) => has(entity, 'list')), 'lists.ts'],
    [true, 'lookups.ts'],
    [true, 'methods.ts'],
    [has(service.entity, 'identify'), 'redirects.ts'],
    [called, 'reference-ids.ts'],
    [called, 'starting.ts'],
    [references, 'references.ts'],
    [service.calls.length > 0, 'request-ids.ts'],
    [service.calls.length > 0, 'service-client.ts'],
    [entities.some((entity) => has(entity, 'list')), 'rows.ts'],
    [siblings, 'siblings.ts'],
    [read.has('bool'), 'values/bool.ts'],
    [dated, 'values/calendar.ts'],
    [read.has('data') || data, 'values/data.ts'],
    [read.has('date'), 'values/date.ts'],
    [read.has('datetime'), 'values/datetime.ts'],
    [read.has('float'), 'values/float.ts'],
    [read.has('int'), 'values/int.ts'],
    [read.has('string'), 'values/string.ts'],
    [read.has('time'), 'values/time.ts'],
    [read.has('reference') || read.has('sibling'), 'values/uuid.ts'],
  ]
  return wanted.flatMap(([isWanted, name]) => (isWanted ? [name] : []))
}
