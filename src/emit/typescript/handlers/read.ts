import { type Code, call, code, when } from '../../kit/layout.ts'
import { accessCall } from '../access-file.ts'
import { parentKey } from '../names.ts'
import { callerOf, handler, lookupInput, presented, type RouteScope, rowKeys } from './scope.ts'

/** GET of one entity. */
export function readHandler(scope: RouteScope): Code {
  const { file, entity, struct, readLimited } = scope
  const env = scope.use('env')
  const runHooks = file.value('hook-lists.ts', 'runHooks')
  const notFound = file.value('errors.ts', 'notFound')
  scope.use('access')
  const key = struct === undefined ? 'input.id' : `input.${parentKey(struct)}`
  const missing =
    struct === undefined
      ? code`    ${when('found === undefined', `throw ${notFound}('${entity.names.declared}', input.id)`)}`
      : `    if (found === undefined) {
      await ${accessCall(scope, 'read', key)}
      throw ${notFound}('${entity.names.declared}', input.id)
    }`
  return handler(
    scope,
    'read',
    code`${lookupInput(scope)}
    if (hooks.beforeRead.length > 0) {
      await ${accessCall(scope, 'read', key)}
      await ${call(runHooks, 'hooks.beforeRead', env, 'input', callerOf(scope))}
    }
    const [found] = await ${call(`statements.${readLimited ? 'readOwn' : 'read'}.execute`, rowKeys(scope, readLimited))}
${missing}
    await ${call(runHooks, 'hooks.afterRead', env, 'found', callerOf(scope))}
    return ${file.value('answers.ts', 'answer')}(200, ${presented(scope, 'found')})`,
  )
}
