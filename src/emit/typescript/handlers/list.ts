import { type Code, call, code, hang, list, object } from '../../kit/layout.ts'
import { accessCall } from '../access-file.ts'
import { isPresented, stored } from '../attributes.ts'
import { isHeavy } from '../columns.ts'
import { parentKey } from '../names.ts'
import { callerOf, handler, pathId, type RouteScope } from './scope.ts'

/** GET of all entities: streamed, but gathered first where a hook wants to see them. */
export function listHandler(scope: RouteScope): Code {
  const { file, service, entity, struct, readLimited } = scope
  const env = scope.use('env')
  const runHooks = file.value('hook-lists.ts', 'runHooks')
  const gather = file.value('lists.ts', 'gatherList')
  const answerList = file.value('lists.ts', 'answerList')
  const readPage = file.value('lists.ts', 'readPage')
  const stands = file.type('entities.ts', scope.types.stored)
  const source = file.type('lists.ts', 'ListSource')
  const parent = struct === undefined ? undefined : parentKey(struct)
  const keys = [
    ...(parent === undefined ? [] : [`_parent: input.${parent}`]),
    ...(readLimited ? ['_caller: caller.id'] : []),
  ]
  const execute = (name: string, ...own: string[]) =>
    `statements.${name}.execute({ ${[...own, ...keys].join(', ')} })`
  const path =
    parent === undefined
      ? `'${service.path}/all'`
      : `\`${service.path}/\${input.${parent}}/${entity.names.kebab}/all\``
  const hidden = stored(entity).some(
    ({ answered, type }) => !answered && (type.kind === 'string' || type.kind === 'data'),
  )
  const members: Code[] = [
    `key: '${entity.listKey}'`,
    `path: ${path}`,
    hang('batch: (after, limit) =>', execute('batch', 'after', 'limit')),
    hang('pageEnd: (after, offset) =>', execute('pageEnd', 'after', 'offset')),
    ...(isPresented(entity) ? [file.value(`wire/${entity.names.kebab}.ts`, 'present')] : []),
    ...(hidden && isHeavy(entity) ? ['hidesBytes: true'] : []),
  ]
  const answer = file.value('answers.ts', 'answer')
  const shown = isPresented(entity) ? 'entities.map(present)' : 'entities'
  return handler(
    scope,
    'list',
    code`${parent === undefined ? listInput(readPage) : structInput(scope, parent, readPage)}
    await ${call(runHooks, 'hooks.beforeList', env, 'input', callerOf(scope))}
${parent === undefined ? '' : `    if (input.${parent} !== ${parent}) await ${accessCall(scope, 'read', `input.${parent}`)}\n`}    const source: ${source}<${stands}> = ${object(members)}
    if (hooks.afterList.length === 0) {
      return ${answerList}(source, input, { outgoing: c.env.outgoing, log: ${env}.log })
    }
    const { entities, headers } = await ${gather}(source, input)
    await ${call(runHooks, 'hooks.afterList', env, 'entities', callerOf(scope))}
    return ${list(`${answer}(`, ['200', `{ ${entity.listKey}: ${shown} }`, 'headers'], ')')}`,
  )
}

function listInput(readPage: string): string {
  return `    const input = ${readPage}(c)`
}

function structInput(scope: RouteScope, parent: string, readPage: string): string {
  scope.use('access')
  const id = scope.file.value('ids.ts', 'pathId')
  return `    const ${parent} = ${pathId(scope, 'parentId')}
    // The form of the path with an id takes any, to no effect.
    ${id}(c.req.param('id') ?? ${parent})
    await ${accessCall(scope, 'read', parent)}
    const input = { ...${readPage}(c), ${parent} }`
}
