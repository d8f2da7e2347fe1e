import type { Entity, Names } from '../../../model/platform.ts'
import { constraintName, PARENT_COLUMN } from '../../database/names.ts'
import { type Code, call, chain, code, hang, join, list, object, when } from '../../kit/layout.ts'
import { has } from '../access.ts'
import { stored } from '../attributes.ts'
import { parentKey } from '../names.ts'
import type { RouteScope } from './scope.ts'

type Write = 'create' | 'update' | 'delete'

/** Calls, behind a statement, the function that turns a refusal of the database into an answer. */
export function refusalCall(scope: RouteScope, write: Write): string {
  if (write === 'delete') return isReferenced(scope) ? '.catch(refuseDelete)' : ''
  if (!isRefused(scope, write)) return ''
  if (!needsInput(scope)) return '.catch(refuse)'
  const { struct } = scope
  const parent = struct === undefined ? '' : `, input.${parentKey(struct)}`
  const values = siblingAttributes(scope).length > 0 ? ', input, request' : ''
  return `.catch((error: unknown) => refuse(error${parent}${values}))`
}

/** Runs a statement and, where the database may refuse it, turns that into an answer. */
export function execute(statement: string, values: Code, refusal: string): Code {
  if (refusal === '') return call(`${statement}.execute`, values)
  return chain(statement, code`.${call('execute', values)}`, refusal)
}

/** The functions themselves, behind the routes. */
export function refusals(scope: RouteScope): Code {
  const { file, entity } = scope
  const writes = (['create', 'update'] as const).some(
    (write) => has(entity, write) && isRefused(scope, write),
  )
  const deletes = has(entity, 'delete') && isReferenced(scope)
  const name = entity.names.declared
  const remove = deletes
    ? code`

/** An entry that a sibling refers to cannot be deleted. */
function refuseDelete(error: unknown): never {
  if (${file.value('database-errors.ts', 'classify')}(error).kind !== 'foreignKey') throw error
  throw ${call(`new ${file.value('errors.ts', 'ServiceError')}`, '409', `'${name} is still referenced'`)}
}`
    : ''
  return code`${writes ? refuse(scope) : ''}${remove}`
}

function refuse(scope: RouteScope): Code {
  const { file, service, entity, struct, types } = scope
  const name = entity.names.declared
  const classify = file.value('database-errors.ts', 'classify')
  const siblings = siblingAttributes(scope)
  const lines: Code[] = []
  if (hasUnique(scope)) {
    lines.push(
      code`  ${when("failure.kind === 'unique'", `throw ${file.value('errors.ts', 'duplicate')}('${name}')`)}`,
    )
  }
  const parameters: Code[] = ['error: unknown']
  if (struct !== undefined) {
    parameters.push(`${parentKey(struct)}: string`)
    if (siblings.length > 0) {
      const request = file.type('entities.ts', types.request)
      parameters.push(`input: Partial<${request}>`, `request: ${request}`)
    }
    const parent = constraintName(entity.table, [PARENT_COLUMN], 'fkey')
    lines.push(
      `  const constraint = failure.kind === 'foreignKey' ? failure.constraint : undefined`,
      `  // The parent went while the entry came.`,
      `  if (constraint === '${parent}') {
    throw ${file.value('errors.ts', 'notFound')}('${service.names.declared}', ${parentKey(struct)})
  }`,
    )
    if (siblings.length > 0) lines.push(siblingRefusal(scope, siblings))
  }
  return code`

/** What the database refuses, as the client's mistake where it is one. */
${list('function refuse(', parameters, ')')}: never {
  const failure = ${classify}(error)
${join(lines, '\n')}
  throw error
}`
}

function siblingRefusal({ file, entity }: RouteScope, siblings: readonly SiblingAttribute[]): Code {
  const references = siblings.map(({ names, target }) =>
    object([
      `key: '${constraintName(entity.table, [names.snake], 'fkey')}'`,
      `name: '${target}'`,
      hang('stored:', `input.${names.declared}`),
      hang('sent:', `request.${names.declared}`),
    ]),
  )
  const unknown = file.value('references.ts', 'unknownReference')
  return code`  // A sibling went meanwhile; one that a hook chose is the hook's mistake.
  const siblings = ${{ ...list('[', references, ']'), expanded: true }}
  const gone = siblings.find(({ key, stored, sent }) => key === constraint && stored === sent)
  if (gone !== undefined) throw ${unknown}(gone.name, gone.sent)`
}

interface SiblingAttribute {
  readonly names: Names
  readonly target: string
}

function siblingAttributes({ entity }: RouteScope): SiblingAttribute[] {
  return stored(entity).flatMap(({ names, type, requested }) =>
    type.kind === 'sibling' && requested ? [{ names, target: type.target.declared }] : [],
  )
}

function isReferenced({ struct }: RouteScope): boolean {
  return struct?.referenced === true
}

function hasUnique({ service, entity, struct }: RouteScope): boolean {
  return (service.identity && struct === undefined) || isUnique(entity)
}

function isUnique(entity: Entity): boolean {
  return stored(entity).some(({ unique }) => unique)
}

function isRefused(scope: RouteScope, write: 'create' | 'update'): boolean {
  if (scope.struct !== undefined) return true
  return write === 'create' ? hasUnique(scope) : isUnique(scope.entity)
}

function needsInput({ struct }: RouteScope): boolean {
  return struct !== undefined
}
