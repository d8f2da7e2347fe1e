import { referencesItself } from '../../model/entities.ts'
import { isOnlyCreator, isSameAccess, type LimitedAccess } from '../../access.ts'
import { withArticle } from '../../naming.ts'
import type { CodeFile } from '../codegen/code-file.ts'
import { block, type Code, call, chain, code, hanging, join } from '../codegen/layout.ts'
import { preparedStatementName } from './names.ts'
import { mainEntity, type ServiceScope } from './scope.ts'

/** The function that creates the access checks of a service. Entries of structs have the checks of their parent. */
export function accessFunction(scope: ServiceScope, file: CodeFile): Code {
  const { authenticated, readers, writers, ownerKey, service } = scope
  const { entity, names } = mainEntity(scope)
  const table = names.variable
  const hasUnknown = service.referenced || referencesItself(service)
  const isSame = isSameAccess(service.readable, service.writable)
  const comparesOwner = readers !== undefined && isOnlyCreator(readers)
  const returnsOwner = writers !== undefined && !isSame
  const fields = comparesOwner || returnsOwner ? `{ owner: ${table}.${ownerKey} }` : `{ id: ${table}.id }`
  const isLimited = readers !== undefined && !comparesOwner
  const select = chain(
    'db',
    `.select(${fields})`,
    `.from(${table})`,
    isLimited ? call('.where', call(file.value('drizzle-orm', 'and'), 'hasId', 'isOwned')) : '.where(hasId)',
    `.prepare('${preparedStatementName('find', entity)}')`,
  )
  const missing = `throw ${file.value('#lib/errors.ts', 'notFound')}('${entity.names.declared}', id)`
  const isUuid = file.value('#lib/values.ts', 'isUuid')
  const values = isLimited ? '{ id, _owner: owner?.id }' : '{ id }'
  const readable = block(
    `async function requireReadable(id: string, ${callerParameter(scope, file, readers !== undefined)}): Promise<${returnsOwner ? 'string' : 'void'}>`,
    [
      ...(isLimited ? [code`const owner = ${ownerOf(file, readers)}`] : []),
      `const [found] = ${isUuid}(id) ? await find().execute(${values}) : []`,
      comparesOwner ? `if (found?.owner !== caller.id) ${missing}` : `if (found === undefined) ${missing}`,
      ...(returnsOwner ? ['return found.owner'] : []),
    ],
  )
  const members = [
    code`/** Throws 404 unless the caller may read the entity. */
requireReadable,`,
    isSame || writers === undefined
      ? code`/** Throws 404 unless the caller may write the entity. */
requireWritable: requireReadable,`
      : code`/** Throws 404 or 403 unless the caller may write the entity. */
${block(`async requireWritable(id: string, ${callerParameter(scope, file, authenticated)}): Promise<void>`, writeCheck(writers, file))},`,
    ...(hasUnknown ? [unknownMember(scope, file)] : []),
  ]
  return code`/** Who may read and write ${withArticle(entity.names.declared)}. */
${block(`export function ${names.access}(db: ${file.type('schema.ts', 'Database')})`, [
  code`const find = ${call(file.value('#lib/queries.ts', 'once'), hanging('() =>', select))}`,
  ...(hasUnknown
    ? [
        code`const selectIds = ${call(file.value('#lib/queries.ts', 'once'), hanging('() =>', selectIds(scope, file)))}`,
      ]
    : []),
  '',
  readable,
  '',
  block('return', [join(members, '\n\n')]),
])}`
}

/** The owner whose entities the caller is limited to, which is `undefined` for a caller who has access to all. */
export function ownerOf(file: CodeFile, { creator, roles }: LimitedAccess): Code {
  if (roles.length === 0) return 'caller'
  const limit = file.value('#lib/roles.ts', creator ? 'ownerFilter' : 'roleFilter')
  return call(limit, 'caller', ...roles.map((role) => `'${role}'`))
}

function callerParameter({ authenticated }: ServiceScope, file: CodeFile, isUsed: boolean): string {
  if (!authenticated) return '_caller?: undefined'
  return `${isUsed ? '' : '_'}caller: ${file.type('#lib/tokens.ts', 'Caller')}`
}

function writeCheck(writers: LimitedAccess, file: CodeFile): Code[] {
  const forbidden = `throw ${file.value('#lib/errors.ts', 'forbidden')}()`
  if (isOnlyCreator(writers)) return [`if ((await requireReadable(id, caller)) !== caller.id) ${forbidden}`]
  return [
    'const owner = await requireReadable(id, caller)',
    code`const writer = ${ownerOf(file, writers)}`,
    `if (writer !== undefined && writer.id !== owner) ${forbidden}`,
  ]
}

function selectIds(scope: ServiceScope, file: CodeFile): Code {
  const { entity, names } = mainEntity(scope)
  const sql = file.value('drizzle-orm', 'sql')
  const isOne = `${sql}\`\${${names.variable}.id} = any(\${param('ids')}::uuid[])\``
  const query = chain(
    'db',
    `.select({ id: ${names.variable}.id })`,
    `.from(${names.variable})`,
    call(
      '.where',
      scope.readers !== undefined ? call(file.value('drizzle-orm', 'and'), isOne, 'isOwned') : isOne,
    ),
    `.prepare('${preparedStatementName('findAll', entity)}')`,
  )
  return { ...query, expanded: true }
}

function unknownMember(scope: ServiceScope, file: CodeFile): Code {
  const { readers } = scope
  const isOwner = readers === undefined || isOnlyCreator(readers)
  const owner = readers === undefined ? '' : isOwner ? ', _owner: caller.id' : ', _owner: owner?.id'
  return code`/** Returns the ids of entities that do not exist or that the caller may not read. */
${block(
  `async unknown(ids: readonly string[], ${callerParameter(scope, file, readers !== undefined)}): Promise<string[]>`,
  [
    ...(isOwner ? [] : [code`const owner = ${ownerOf(file, readers)}`]),
    `const found = await selectIds().execute({ ids: ids.filter(isUuid)${owner} })`,
    'const known = new Set(found.map(({ id }) => id))',
    'return ids.filter((id) => !known.has(id.toLowerCase()))',
  ],
)},`
}
