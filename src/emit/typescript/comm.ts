import { hasBody, queryNames } from '../../model/custom-endpoints.ts'
import {
  assertNever,
  type CustomEndpoint,
  type Entity,
  type Operation,
  type Platform,
  type Service,
  type ServiceTarget,
} from '../../model/platform.ts'
import type { DeployedService } from '../../model/deployed-services.ts'
import { servesReadMany } from '../../model/entities.ts'
import { type CodeFile, codeFile } from '../codegen/code-file.ts'
import {
  type Code,
  call,
  chain,
  code,
  hanging,
  join,
  LINE_WIDTH,
  list,
  moving,
  object,
} from '../codegen/layout.ts'
import { ENDPOINTS_MODULE, hasInput } from './custom-endpoints.ts'
import { entityNames, type EntityNames } from './names.ts'

/** `comm.ts`: the clients of the services that this one calls. */
export function commFile(platform: Platform, service: DeployedService): string {
  const file = codeFile('comm.ts')
  const clients = service.calls.flatMap((called) =>
    called.isAuthentication
      ? [accountsClient(file, service, called)]
      : platform.services
          .filter(({ directory }) => directory === called.directory)
          .map((target) => {
            const isForeign = target.language !== service.language
            return client(file, { target, urlVariable: called.urlVariable, isForeign })
          }),
  )
  return file.text(code`/** Creates the clients of the services that this one calls. */
export function createComm(config: ${file.type('config.ts', 'Config')}) {
${join(
  clients.map(({ declaration }) => code`  ${declaration}`),
  '\n',
)}
  return ${object(clients.map(({ member }) => member))}
}

export type Comm = ReturnType<typeof createComm>`)
}

/** The client of the authentication service. */
function accountsClient(
  file: CodeFile,
  { directory }: DeployedService,
  called: ServiceTarget,
): { declaration: Code; member: Code } {
  const options = object([
    `url: config.${called.urlVariable}`,
    'timeoutMs: config.SERVICE_TIMEOUT_MS',
    'keys: config.SERVICE_KEYS_DIRECTORY',
    `caller: '${directory}'`,
    `callee: '${called.directory}'`,
  ])
  const { camel } = called.names
  const created = call(file.value('#lib/accounts.ts', 'accountsOf'), options)
  return { declaration: code`const ${camel} = ${created}`, member: camel }
}

/** A service that is called, and where. */
interface CalledService {
  readonly target: Service
  readonly urlVariable: string
  /** Whether it is in another language, so that its types are in `lib/clients`. */
  readonly isForeign: boolean
}

function client(file: CodeFile, called: CalledService): { declaration: Code; member: Code } {
  const { target, urlVariable } = called
  const { names, entity, structs } = target
  const types = entityNames(target)
  const variable = `${names.camel}Client`
  const created = call(
    file.value('#lib/services.ts', 'clientOf'),
    `'${names.declared}'`,
    `config.${urlVariable}`,
    'config.SERVICE_TIMEOUT_MS',
  )
  const readMany = () => {
    const public_ = dataTypes(file, called, entity, types.get(entity)).response()
    return moving(
      `readMany: (ids: readonly string[], caller: ${file.type('#lib/services.ts', 'Caller')}) =>`,
      call(`${variable}.readMany<${public_}>`, 'ids', 'caller'),
    )
  }
  const operations = (resource: Entity, at: string, parent: readonly string[]) => {
    const data = dataTypes(file, called, resource, types.get(resource))
    return resource.endpoints.map(({ operation }) => {
      const isVersioned = resource.version !== undefined && WRITES.has(operation)
      const path = PATHS[operation](at).replace(
        '${id}',
        isVersioned ? `\${${file.value(TAGS, 'idOf')}(id)}` : '$&',
      )
      const to = path.includes('$') ? `${file.value('#lib/services.ts', 'path')}\`${path}\`` : `'${path}'`
      const parameters = [...parent, ...parametersOf(resource, operation, data, file)]
      const head = `${operation}: (${parameters.join(', ')}) =>`
      const request = requestCall(file, { variable, resource, operation, data, path: to })
      const indent = parent.length === 0 ? 6 : 8
      if (indent + head.length <= LINE_WIDTH) return moving(head, request)
      return code`${list(`${operation}: (`, parameters, ') =>')}${moving('', request)}`
    })
  }
  const members = [
    `...${variable}.references`,
    ...operations(entity, `/api/${names.kebab}`, []),
    ...target.customEndpoints.map((endpoint) => endpointCall(file, called, variable, endpoint)),
    ...(servesReadMany(target) ? [readMany()] : []),
    ...structs
      .filter(({ endpoints }) => endpoints.length > 0)
      .map((struct) => {
        const at = `/api/${names.kebab}/\${parentId}/${struct.names.kebab}`
        return code`${memberKey(struct)}: ${object(operations(struct, at, ['parentId: string']))}`
      }),
  ]
  return {
    declaration: hanging(`const ${variable} =`, created),
    member: code`${names.camel}: ${object(members)}`,
  }
}

/** The types of the request and of the response. */
interface DataTypes {
  readonly request: () => string
  readonly patch: () => string
  readonly response: () => string
  readonly query: () => string
}

const TAGS = '#lib/tags.ts'

/** The operations of which the request can name a version. */
const WRITES: ReadonlySet<Operation> = new Set(['update', 'patch', 'delete'])

/** The path of an operation, from the path of its entities. */
const PATHS: Readonly<Record<Operation, (at: string) => string>> = {
  create: (at) => at,
  read: (at) => `${at}/\${id}`,
  update: (at) => `${at}/\${id}`,
  patch: (at) => `${at}/\${id}`,
  delete: (at) => `${at}/\${id}`,
  list: (at) => `${at}/all`,
  identify: (at) => at,
}

function parametersOf({ version }: Entity, operation: Operation, data: DataTypes, file: CodeFile): string[] {
  const hasId = operation !== 'create' && operation !== 'list' && operation !== 'identify'
  // In place of the id, an entity that was read says which version the request is about.
  const isVersioned = version !== undefined && WRITES.has(operation)
  const id = version === 'required' ? '' : 'string | '
  return [
    ...(hasId ? [isVersioned ? `id: ${id}${data.response()}` : 'id: string'] : []),
    ...(operation === 'create' || operation === 'update' ? [`request: ${data.request()}`] : []),
    ...(operation === 'patch' ? [`changes: ${data.patch()}`] : []),
    ...(operation === 'list' ? [`page: ${data.query()}`] : []),
    `caller: ${file.type('#lib/services.ts', 'Caller')}`,
  ]
}

interface CommCall {
  readonly variable: string
  readonly resource: Entity
  readonly operation: Operation
  readonly data: DataTypes
  readonly path: string
}

function requestCall(file: CodeFile, { variable, resource, operation, data, path }: CommCall): Code {
  const { listKey, version } = resource
  const send = () => `${variable}.send<${data.response()}>`
  // What is read is remembered with its version, and what is written may name one.
  const ofVersion = (entity: string) =>
    version === undefined ? [] : [`${file.value(TAGS, 'ofVersion')}(${entity})`]
  switch (operation) {
    case 'create':
      return call(send(), "'POST'", path, 'caller', 'request', ...ofVersion(''))
    case 'read': {
      const extras = ofVersion('')
      return call(send(), "'GET'", path, 'caller', ...(extras.length === 0 ? [] : ['undefined', ...extras]))
    }
    case 'update':
      return call(send(), "'PUT'", path, 'caller', 'request', ...ofVersion('id'))
    case 'patch':
      return call(send(), "'PATCH'", path, 'caller', 'changes', ...ofVersion('id'))
    case 'list':
      return call(`${variable}.list<${data.response()}>`, path, `'${listKey}'`, 'page', 'caller')
    case 'delete':
      return call(`${variable}.delete`, path, 'caller', ...ofVersion('id'))
    case 'identify':
      return call(`${variable}.send<string>`, "'GET'", path, 'caller')
    default:
      return assertNever(operation)
  }
}

/** The function that calls an endpoint of the user's own. */
function endpointCall(
  file: CodeFile,
  { target, isForeign }: CalledService,
  variable: string,
  endpoint: CustomEndpoint,
): Code {
  const { names, method, path, hasId, pathAttributes, requestAttributes, response } = endpoint
  const { directory } = target
  const module = isForeign
    ? `#lib/clients/${directory}.endpoints.ts`
    : `../../${directory}/src/${ENDPOINTS_MODULE}`
  // Names of endpoints are unique in their service only.
  const schemas = () => file.namespace(module, `${target.names.camel}Schemas`, 'type')
  const isFixed = !hasId && pathAttributes.length === 0
  const written = path.replaceAll(/\{(\w+)\}/g, '${request.$1}')
  const to = isFixed ? `'${path}'` : `${file.value('#lib/endpoint-calls.ts', 'pathWith')}\`${written}\``
  const queried = queryNames(endpoint).map((name) => `'${name}'`)
  const url =
    queried.length === 0
      ? to
      : call(file.value('#lib/endpoint-calls.ts', 'withQuery'), to, 'request', list('[', queried, ']'))
  const data = (entity: Entity) =>
    dataTypes(
      file,
      { target, urlVariable: '', isForeign },
      entity,
      entityNames(target).get(entity),
    ).response()
  const parameters = [
    ...(hasInput(endpoint) ? [`request: ${schemas()}.${names.declared}Input`] : []),
    `caller: ${file.type('#lib/services.ts', 'Caller')}`,
  ]
  const sent = hasBody(endpoint) && requestAttributes.length > 0 ? ['request'] : []
  const send = (content: string, receiver = variable) =>
    call(`${receiver}.send<${content}>`, `'${method}'`, url, 'caller', ...sent)
  const head = `${names.camel}: (${parameters.join(', ')}) =>`
  if (response.kind === 'object') return moving(head, send(`${schemas()}.Public${names.declared}`))
  if (response.kind === 'entity') return moving(head, send(data(response.entity)))
  const { listKey } = response.entity
  const found = call('.then', hanging('(found) =>', `found?.${listKey}`))
  const entities = send(`{ ${listKey}: ${data(response.entity)}[] }`, '')
  return moving(head, chain(variable, entities, found))
}

/** Members of every client. */
const TAKEN = new Set('name unknown exists create read readMany update patch delete list identify'.split(' '))

/** The member of a client that has the operations of a struct. */
export function memberKey({ names }: Entity): string {
  return TAKEN.has(names.camel) ? `${names.camel}_` : names.camel
}

function dataTypes(
  file: CodeFile,
  { target, isForeign }: CalledService,
  entity: Entity,
  names: EntityNames | undefined,
): DataTypes {
  const module = isForeign
    ? `#lib/clients/${target.directory}.ts`
    : `../../${target.directory}/src/entities.ts`
  const declared = entity.names.declared
  const schema = () => file.type(module, names?.request ?? `${declared}Request`)
  return {
    request: () => `${file.type('zod', 'z')}.input<typeof ${schema()}>`,
    patch: () => `${file.type('#lib/services.ts', 'Patch')}<typeof ${schema()}>`,
    response: () => file.type(module, names?.public ?? `Public${declared}`),
    query: () =>
      entity.criteria === undefined || names === undefined
        ? file.type('#lib/queries.ts', 'Page')
        : file.type(module, names.query),
  }
}
