import { type Code, call, code, when } from '../../kit/layout.ts'
import { accessCall, accessChecks } from '../access-file.ts'
import { parentKey } from '../names.ts'
import { execute, refusalCall } from './refusals.ts'
import { callerOf, handler, lookupInput, type RouteScope, rowKeys } from './scope.ts'

/** DELETE of one entity. */
export function deleteHandler(scope: RouteScope): Code {
  const { file, entity, struct, writeLimited } = scope
  const env = scope.use('env')
  const runHooks = file.value('hook-lists.ts', 'runHooks')
  const notFound = file.value('errors.ts', 'notFound')
  const name = entity.names.declared
  scope.use('access')
  const key = struct === undefined ? 'input.id' : `input.${parentKey(struct)}`
  const explains = struct !== undefined || accessChecks(scope).write === 'requireWritable'
  const missing = explains
    ? `    if (deleted === undefined) {
      await ${accessCall(scope, 'write', key)}
      throw ${notFound}('${name}', input.id)
    }`
    : code`    ${when('deleted === undefined', `throw ${notFound}('${name}', input.id)`)}`
  const statement = `statements.${writeLimited ? 'deleteOwn' : 'delete'}`
  return handler(
    scope,
    'delete',
    code`${lookupInput(scope)}
    if (hooks.beforeDelete.length > 0) {
      await ${accessCall(scope, 'write', key)}
      await ${call(runHooks, 'hooks.beforeDelete', env, 'input', callerOf(scope))}
    }
    const [deleted] = await ${execute(statement, rowKeys(scope, writeLimited), refusalCall(scope, 'delete'))}
${missing}
    await ${call(runHooks, 'hooks.afterDelete', env, 'deleted.id', callerOf(scope))}
    return ${file.value('answers.ts', 'answer')}(200, {})`,
  )
}
