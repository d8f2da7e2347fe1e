import { type Code, call, code, when } from '../../kit/layout.ts'
import { handler, type RouteScope } from './scope.ts'

/** GET of the service itself: where the caller's own entity is. */
export function identifyHandler(scope: RouteScope): Code {
  const { file, service, entity } = scope
  const env = scope.use('env')
  const runHooks = file.value('hook-lists.ts', 'runHooks')
  const notFound = file.value('errors.ts', 'notFound')
  return handler(
    scope,
    'identify',
    code`    const input = { id: caller.id }
    await ${call(runHooks, 'hooks.beforeIdentify', env, 'input', 'caller')}
    const [found] = await statements.readOwn.execute({ id: input.id, _caller: caller.id })
    ${when('found === undefined', `throw ${notFound}('${entity.names.declared}', caller.id)`)}
    await ${call(runHooks, 'hooks.afterIdentify', env, 'found', 'caller')}
    return ${file.value('redirects.ts', 'redirectTo')}(\`${service.path}/\${found.id}\`)`,
  )
}
