import { type HookOperation, hookOperations } from '../../model/entities.ts'
import { type CodeFile, codeFile } from '../codegen/code-file.ts'
import { block, type Code, call, code, list, moving, object } from '../codegen/layout.ts'
import { ownerOf } from './access-functions.ts'
import { resultType, schemasOf } from './custom-endpoints.ts'
import { lookupType } from './entities.ts'
import { JOBS_MODULE } from './jobs.ts'
import { queryType } from './list-query.ts'
import { parentKey } from './names.ts'
import { isLimitable } from './query-scope.ts'
import { type EntityScope, mainEntity, type ServiceScope } from './scope.ts'

/** `hooks.ts`: what setup.ts works with: the kinds of hooks, the data access and the environment. */
export function hooksFile(scope: ServiceScope): string {
  const { platform, service, entities, authenticated } = scope
  const file = codeFile('hooks.ts')
  const { names } = mainEntity(scope)
  const perDatabase = file.value('#lib/database.ts', 'perDatabase')
  const made = entities.map(
    (entityScope) =>
      `${file.value(`queries/${entityScope.entity.names.kebab}.ts`, entityScope.names.queries)}(db)`,
  )
  const access = `${file.value(`queries/${service.names.kebab}.ts`, names.access)}(db)`
  const structs = entities.flatMap(({ struct }) =>
    struct === undefined ? [] : [`${struct.names.camel}: access`],
  )
  const apiEnv = file.type('#lib/api.ts', 'ApiEnv')
  const caller = callerType(scope, file)
  // Without a token, the caller of a public route is unknown.
  const routeCaller = service.publicPaths.length === 0 ? caller : `${caller} | undefined`
  const endpoints = endpointMembers(scope, file)
  const variables = authenticated ? `${apiEnv} & { Variables: { caller: ${routeCaller} } }` : apiEnv

  const measured =
    platform.metrics === undefined
      ? ''
      : `  /** The registry of what \`/metrics\` reports. */\n  readonly metrics: ${file.type('prom-client', 'Registry')}\n`

  return file.text(code`${errorExport()}

/** Creates the kinds of hooks, which setup.ts registers. */
export const createHooks = () => (${object([
    ...hookMembers(scope, mainEntity(scope), file),
    ...entities.flatMap((entityScope) =>
      entityScope.struct === undefined || entityScope.entity.endpoints.length === 0
        ? []
        : [code`${entityScope.entity.names.camel}: ${object(hookMembers(scope, entityScope, file))}`],
    ),
  ])})

${
  endpoints.length === 0
    ? ''
    : code`/** Creates the endpoints, whose handlers setup.ts registers. */
export const createEndpoints = () => (${object(endpoints)})

`
}/** Creates the data access. */
export const createDatastore = ${perDatabase}(${datastore(scope, file, made)})

/** Creates the access checks. */
export const createAccess = ${
    structs.length === 0
      ? code`${perDatabase}((db: Database) => ${access})`
      : code`${perDatabase}((db: Database) => {
  const access = ${access}
  return ${{ ...object([...structs, '...access']), expanded: false }}
})`
  }

/** What hooks and routes work with. In the hooks of a write, it belongs to the transaction of the write. */
export interface Env {
  readonly config: ${file.type('config.ts', 'Config')}
  readonly settings: ${file.type('settings.ts', 'Settings')}
  readonly log: ${file.type('#lib/log.ts', 'Log')}
${service.calls.length === 0 ? '' : `  readonly comm: ${file.type('comm.ts', 'Comm')}\n`}  readonly hooks: ReturnType<typeof createHooks>
${endpoints.length === 0 ? '' : '  readonly endpoints: ReturnType<typeof createEndpoints>\n'}${service.jobs.length === 0 ? '' : `  /** Adds jobs, and registers what they do. */\n  readonly jobs: ReturnType<typeof ${file.type(JOBS_MODULE, 'createJobs')}>\n`}  /** The message for each constraint of the database that a request can violate. Those of your own can be added. */
  readonly conflicts: ${file.type('#lib/api.ts', 'Conflicts')}
  readonly datastore: ReturnType<typeof createDatastore>
  readonly access: ReturnType<typeof createAccess>
  /** Runs the work in a transaction, which an error rolls back. Within a transaction, the work becomes part of it. */
  transaction<Result>(work: (env: Env) => Promise<Result>): Promise<Result>
  /** Runs work that does not belong to the transaction of the hook, with the \`env\` of \`setup\`. */
  outside<Result>(work: (env: Env) => Promise<Result>): Promise<Result>
  /** Calls a function after the transaction is committed, or immediately outside of a transaction. */
  readonly afterCommit: ${file.type('#lib/database.ts', 'AfterCommit')}
${measured}  /** Calls a function when the service stops. */
  readonly onStop: ${file.type('#lib/server.ts', 'OnStop')}
}

/** A router for the service's own routes: \`/${service.names.kebab}/...\`. */
export type Router = ${file.type('hono', 'Hono')}<${variables}>`)
}

/** What creates the data access of a database; with limits, if those of some callers have any. */
function datastore(scope: ServiceScope, file: CodeFile, made: readonly string[]): Code {
  const parameter = `(db: ${file.type('schema.ts', 'Database')}) =>`
  const own = `...${file.value('datastore.ts', 'queries')}(db)`
  if (!isLimitable(scope))
    return code`${parameter} (${object(['db', ...made.map((each) => `...${each}`), own])})`
  const limits = file.type('#lib/limits.ts', 'Limits')
  const names = scope.entities.map(({ names: { queries } }) => queries)
  const statements = names.map((name, index) => `const ${localName(name)} = ${made[index]}`)
  return block(parameter, [
    ...statements,
    code`const queriesAs = (limits?: ${limits}) => (${object(names.map((name) => `...${localName(name)}(limits)`))})`,
    code`return ${object(['db', '...queriesAs()', own, asMember(scope, file)])}`,
  ])
}

/** The queries of an entity in a variable, where the function that creates them has their name. */
const localName = (queries: string) => `${queries}As`

/** The queries on behalf of a caller. */
function asMember(scope: ServiceScope, file: CodeFile): Code {
  const { readers, writers, entities } = scope
  const limits = [
    ...(readers === undefined ? [] : [code`reader: ${ownerOf(file, readers)}`]),
    ...(writers === undefined ? [] : [code`writer: ${ownerOf(file, writers)}`]),
    'creator: caller',
    ...(readers !== undefined && entities.some(({ struct }) => struct !== undefined)
      ? [
          code`mayRead: (parent) => ${call(file.value('#lib/limits.ts', 'passes'), 'createAccess(db).requireReadable(parent, caller)')}`,
        ]
      : []),
  ]
  return code`/** The queries on behalf of a caller, who sees and changes what the access rules allow: without a caller, nothing. */
as: ${file.value('#lib/limits.ts', 'asCaller')}((caller) =>
  ${call('queriesAs', object(limits))},
)`
}

const errorExport = () => `export { HookError } from '#lib/errors.ts'`

function callerType({ authenticated }: ServiceScope, file: CodeFile): string {
  return authenticated ? file.type('#lib/tokens.ts', 'Caller') : 'undefined'
}

function hookMembers(scope: ServiceScope, entityScope: EntityScope, file: CodeFile): Code[] {
  const hook = () => file.value('#lib/hooks.ts', 'hook')
  const member = (name: string, ...types: readonly string[]) => {
    const items = ['env: Env', ...types, `caller: ${callerType(scope, file)}`]
    return moving(`${name}:`, code`${hook()}<${list('[', items, ']')}>()`)
  }
  return hookOperations(entityScope.entity).flatMap((operation) => {
    const kind = operation.charAt(0).toUpperCase() + operation.slice(1)
    return [
      member(`before${kind}`, ...beforeTypes(entityScope, operation, file)),
      member(`after${kind}`, afterType(entityScope, operation, file)),
    ]
  })
}

/** The endpoints with the types of their handlers. */
function endpointMembers(scope: ServiceScope, file: CodeFile): Code[] {
  const { service, entities, authenticated } = scope
  return service.customEndpoints.map((endpoint) => {
    const open = endpoint.isPublic ? ' | undefined' : ''
    const types = [
      'Env',
      `${schemasOf(file, 'type')}.${endpoint.names.declared}Request`,
      `${callerType(scope, file)}${authenticated ? open : ''}`,
      resultType(file, endpoint, entities),
    ]
    const create = code`${file.value('#lib/endpoints.ts', 'endpoint')}${{ ...list('<', types, '>'), trailing: '' }}()`
    return moving(`${endpoint.names.camel}:`, create)
  })
}

function beforeTypes(entityScope: EntityScope, operation: HookOperation, file: CodeFile): string[] {
  const { names, struct } = entityScope
  if (operation === 'create' || operation === 'update') {
    const input = file.type('entities.ts', names[operation])
    const request = operation === 'create' ? names.request : names.updateRequest
    return [`request: ${file.type('entities.ts', request)}`, `input: ${input}`]
  }
  if (operation !== 'list') return [`input: ${lookupType(entityScope)}`]
  const page = queryType(file, entityScope)
  return [`input: ${struct === undefined ? page : `${page} & { ${parentKey(struct)}: string }`}`]
}

function afterType({ names }: EntityScope, operation: HookOperation, file: CodeFile): string {
  if (operation === 'delete') return 'id: string'
  const stored = file.type('entities.ts', names.stored)
  return operation === 'list' ? `entities: ${stored}[]` : `${names.variable}: ${stored}`
}
