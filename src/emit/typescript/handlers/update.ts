import { type Code, call, code, object, when } from '../../kit/layout.ts'
import { accessCall, accessChecks } from '../access-file.ts'
import { requestedReferences, setByHooks } from '../attributes.ts'
import { updateValues } from '../data-access.ts'
import { parentKey } from '../names.ts'
import { readRequest, referenceCheck, sentMembers } from './body.ts'
import { execute, refusalCall } from './refusals.ts'
import { callerOf, handler, pathId, presented, type RouteScope } from './scope.ts'

/** PUT: replaces what clients send; what hooks set stays unless they set it anew. */
export function updateHandler(scope: RouteScope): Code {
  const { file, entity, struct, types, writeLimited } = scope
  const env = scope.use('env')
  const runHooks = file.value('hook-lists.ts', 'runHooks')
  const notFound = file.value('errors.ts', 'notFound')
  const parent = struct === undefined ? undefined : parentKey(struct)
  const owner = parent ?? 'id'
  const name = entity.names.declared
  scope.use('access')

  const kept = setByHooks(entity).map(({ names: { declared } }) => `${declared}: undefined`)
  const members = ['id', ...(parent === undefined ? [] : [parent]), ...sentMembers(scope), ...kept]
  const keys = parent === undefined ? '{ id }' : `{ id, _parent: ${parent} }`
  const early =
    requestedReferences(entity).length > 0
      ? code`    await ${accessCall(scope, 'write', owner)}
    const [current] = await statements.read.execute(${keys})
    ${when('current === undefined', `throw ${notFound}('${name}', id)`)}
`
      : `    if (hooks.beforeUpdate.length > 0) await ${accessCall(scope, 'write', owner)}\n`
  const explains = parent !== undefined || accessChecks(scope).write === 'requireWritable'
  const missing = explains
    ? `    if (updated === undefined) {
      await ${accessCall(scope, 'write', `input.${owner}`)}
      throw ${notFound}('${name}', input.id)
    }`
    : code`    ${when('updated === undefined', `throw ${notFound}('${name}', input.id)`)}`
  const values = updateValues(entity, writeLimited ? ['_caller: caller.id'] : [])
  const path = `${parent === undefined ? '' : `    const ${parent} = ${pathId(scope, 'parentId')}\n`}    const id = ${pathId(scope, 'id')}`

  return handler(
    scope,
    'update',
    code`${path}
${readRequest(scope)}
${early}${referenceCheck(scope, 'update')}    const input: ${file.type('entities.ts', types.update)} = ${object(members)}
    await ${call(runHooks, 'hooks.beforeUpdate', env, 'request', 'input', callerOf(scope))}
    const [updated] = await ${execute(`statements.${writeLimited ? 'updateOwn' : 'update'}`, values, refusalCall(scope, 'update'))}
${missing}
    await ${call(runHooks, 'hooks.afterUpdate', env, 'updated', callerOf(scope))}
    return ${file.value('answers.ts', 'answer')}(200, ${presented(scope, 'updated')})`,
  )
}
