import { isOnlyCreator, isSameAccess } from '../../access.ts'
import { entityStatements } from '../database/statements.ts'
import { block, func, quoted } from './layout.ts'
import { method, type QueriesScope, query } from './query-statements.ts'
import { comparesOwner, ownerOf } from './scope.ts'

/** The access checks of a service. Entries of structs have the checks of their parent. */
export function accessMethods(scope: QueriesScope): string[] {
  const { service, entity, names, file, platform_ } = scope
  const { readable, writable } = service
  const { find, findAll } = entityStatements(service)
  if (find === undefined) return []
  const uuid = `${file.use('github.com/google/uuid')}.UUID`
  const pgx = file.use('github.com/jackc/pgx/v5')
  const parameters = (isUsed: boolean) => [
    'ctx context.Context',
    `id ${uuid}`,
    `${isUsed ? 'caller' : '_'} ${platform_}.Caller`,
  ]
  const isLimited = find.parameters.includes('_owner')
  const isOwnOnly = comparesOwner(readable)
  const usesCaller = isLimited || isOwnOnly
  const value = (parameter: string) =>
    parameter === '_owner' && readable !== 'all' ? ownerOf(readable) : parameter
  const findCall = query(scope, 'Row', `${pgx}.RowTo[${uuid}]`, find, value).replace(
    'd.db',
    'env.Datastore.db',
  )
  const declared = quoted(entity.names.declared)
  const finder = func(
    {
      receiver: 'env *Env',
      name: `find${names.type}`,
      parameters: parameters(usesCaller),
      result: `(${uuid}, error)`,
    },
    [
      `found, err := ${findCall}`,
      ...(isOwnOnly
        ? [block('if err == nil && found != caller.ID', [`err = ${platform_}.ErrNotFound`])]
        : []),
      `return found, ${platform_}.OrNotFound(err, ${declared}, id)`,
    ],
  )
  const isSame = isSameAccess(readable, writable)
  const check =
    isSame || writable === 'all'
      ? ['return env.RequireReadable(ctx, id, caller)']
      : [
          `owner, err := env.find${names.type}(ctx, id, caller)`,
          ...(isOnlyCreator(writable)
            ? [block('if err == nil && owner != caller.ID', [`return ${platform_}.Forbidden()`])]
            : [
                `writer := ${ownerOf(writable)}`,
                block('if err == nil && writer != nil && *writer != owner', [
                  `return ${platform_}.Forbidden()`,
                ]),
              ]),
          'return err',
        ]
  return [
    `// RequireReadable returns 404 unless the caller may read the entity.\n${func(
      { receiver: 'env *Env', name: 'RequireReadable', parameters: parameters(true), result: 'error' },
      [`_, err := env.find${names.type}(ctx, id, caller)`, 'return err'],
    )}`,
    `// RequireWritable returns ${isSame ? '404' : '404 or 403'} unless the caller may write the entity.\n${func(
      { receiver: 'env *Env', name: 'RequireWritable', parameters: parameters(true), result: 'error' },
      check,
    )}`,
    `// find${names.type} returns ${isOwnOnly || !isSame ? 'who owns an entity' : 'the id of an entity'}, or 404 unless the caller may read it.\n${finder}`,
    ...(findAll === undefined
      ? []
      : [
          `// findReadable returns those of the ids that exist and that the caller may read.\n${method(
            'findReadable',
            [`ids []${uuid}`, `${readable === 'all' ? '_' : 'caller'} ${platform_}.Caller`],
            `([]${uuid}, error)`,
            [`return ${query(scope, 'Rows', `${pgx}.RowTo[${uuid}]`, findAll, value)}`],
          )}`,
        ]),
  ]
}
