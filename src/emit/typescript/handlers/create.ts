import { braces, type Code, call, code, list, object } from '../../kit/layout.ts'
import { accessCall } from '../access-file.ts'
import { requestedReferences, setByHooks, zeroValue } from '../attributes.ts'
import { parentKey } from '../names.ts'
import { readRequest, referenceCheck, sentMembers } from './body.ts'
import { execute, refusalCall } from './refusals.ts'
import { callerOf, handler, pathId, presented, type RouteScope } from './scope.ts'

/** POST: stores what the client sent, as far as hooks leave it, and answers with it. */
export function createHandler(scope: RouteScope): Code {
  const { file, service, authenticated, writeLimited, entity, struct, types } = scope
  const env = scope.use('env')
  const runHooks = file.value('hook-lists.ts', 'runHooks')
  const parent = struct === undefined ? undefined : parentKey(struct)
  const references = requestedReferences(entity)
  const id = service.identity && struct === undefined ? 'caller.id' : `${file.value('uuid', 'v7')}()`

  const zeros = setByHooks(entity).map(({ names: { declared }, type }) => `${declared}: ${zeroValue(type)}`)
  const input = object(['id', ...(parent === undefined ? [] : [parent]), ...sentMembers(scope), ...zeros])
  const type = file.type('entities.ts', types.create)

  const check = (key: string) => {
    scope.use('access')
    return `await ${accessCall(scope, 'write', key)}`
  }
  // Nothing may run for a caller without access; the statement checks it once more.
  const early =
    parent === undefined
      ? ''
      : references.length > 0
        ? `    ${check(parent)}\n`
        : `    if (hooks.beforeCreate.length > 0) ${check(parent)}\n`
  const keys = [
    ...(struct === undefined ? [] : [`_parent: input.${parent}`]),
    ...(authenticated && (struct === undefined ? !service.identity : writeLimited)
      ? ['_caller: caller.id']
      : []),
  ]
  const statement = struct !== undefined && writeLimited ? 'createOwn' : 'create'
  const values = ['...input', 'id', ...keys]
  const location =
    parent === undefined
      ? `${service.path}/\${id}`
      : `${service.path}/\${input.${parent}}/${entity.names.kebab}/\${id}`
  const missing =
    parent === undefined
      ? `    if (created === undefined) throw new Error('Nothing was created')`
      : `    if (created === undefined) {
      ${check(`input.${parent}`)}
      throw ${file.value('errors.ts', 'notFound')}('${service.names.declared}', input.${parent})
    }`

  return handler(
    scope,
    'create',
    code`${parent === undefined ? '' : `    const ${parent} = ${pathId(scope, 'parentId')}\n`}${readRequest(scope)}
${early}${referenceCheck(scope, 'create')}    const id = ${id}
    const input: ${type} = ${input}
    await ${call(runHooks, 'hooks.beforeCreate', env, 'request', 'input', callerOf(scope))}
    const [created] = await ${execute(`statements.${statement}`, braces(values), refusalCall(scope, 'create'))}
${missing}
    await ${call(runHooks, 'hooks.afterCreate', env, 'created', callerOf(scope))}
    const location = \`${location}\`
    return ${list(`${file.value('answers.ts', 'answer')}(`, ['201', presented(scope, 'created'), '{ Location: location }'], ')')}`,
  )
}
