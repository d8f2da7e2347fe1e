import { hasTimestamps, stateAttributes, storedAttributes } from '../../model/entities.ts'
import { withArticle } from '../../naming.ts'
import { entityStatements, type Statement, storedColumns } from '../database/statements.ts'
import { accessMethods } from './access-methods.ts'
import { changesNothing, onlyReadsWithoutChanges } from './entity.ts'
import { goFile } from './go-file.ts'
import { block, filled, func, indented, quoted, sql } from './layout.ts'
import { listMethods } from './query-lists.ts'
import { fieldIn, method, namesColumns, type QueriesScope, query, rowValue } from './query-statements.ts'
import type { EntityScope, ServiceScope } from './scope.ts'

/** `<entity>_queries.go`: the data access of an entity, and who has access to it. */
export function queriesFile(service: ServiceScope, own: EntityScope): string {
  const file = goFile(service.module, 'main')
  const columns = storedColumns(own.entity, own.struct)
  const scope: QueriesScope = { ...service, ...own, file, platform_: file.internal('platform'), columns }
  const { names } = own
  const pgx = file.use('github.com/jackc/pgx/v5')
  const targets = [
    'ID',
    ...(own.struct === undefined ? [] : ['ParentID']),
    ...(own.entity.version === undefined ? [] : ['Version']),
    ...storedAttributes(own.entity).map(fieldIn(own)),
  ]
  return file.text([
    ...(namesColumns(columns) ? [`const ${names.variable}Columns = ${sql(columns, 0)}`] : []),
    func(
      {
        name: `scan${names.type}`,
        parameters: [`row ${pgx}.CollectableRow`],
        result: `(found ${names.type}, err error)`,
      },
      [
        `err = ${filled(
          'row.Scan',
          targets.map((field) => `&found.${field}`),
        )}`,
        'return found, err',
      ],
    ),
    createMethod(scope),
    readMethod(scope),
    updateMethod(scope),
    deleteMethod(scope),
    ...listMethods(scope),
    ...(own.struct === undefined ? accessMethods(scope) : []),
  ])
}

function createMethod(scope: QueriesScope): string {
  const { entity, struct, names, service, authenticated, file } = scope
  file.use('context')
  const { insert } = entityStatements(service, struct)
  const isOwned = struct === undefined && authenticated
  const owner = isOwned ? [`owner ${file.use('github.com/google/uuid')}.UUID`] : []
  const value = rowValue(scope, 'writer')
  const ownerless = (parameter: string) => (parameter === '_owner' && isOwned ? 'owner' : value(parameter))
  const setsId = service.storesUsers && struct === undefined
  const text =
    struct === undefined
      ? ''
      : ' Returns ErrNotFound without a parent. The lock keeps the parent until it is stored.'
  return `// Create${names.type} stores ${withArticle(entity.names.declared)}.${text}\n${method(
    `Create${names.type}`,
    [`input ${names.type}`, ...owner],
    `(${names.type}, error)`,
    [
      ...(isOwned && scope.isLimited
        ? [
            block('if d.creator != nil && *d.creator != owner', [
              `return ${names.type}{}, ${scope.platform_}.Forbidden()`,
            ]),
          ]
        : []),
      ...(setsId ? ['input.ID = owner'] : []),
      `return ${query(scope, 'Row', `scan${names.type}`, insert, ownerless)}`,
    ],
  )}`
}

function readMethod(scope: QueriesScope): string {
  const { entity, struct, names, service } = scope
  const { select } = entityStatements(service, struct)
  return `// Read${names.type} returns ${withArticle(entity.names.declared)}, or ErrNotFound.\n${method(
    `Read${names.type}`,
    [`input ${names.id}`],
    `(${names.type}, error)`,
    [`return ${query(scope, 'Row', `scan${names.type}`, select, rowValue(scope, 'reader'))}`],
  )}`
}

/** The versions that the entity may have; none for any. */
const versionParameter = ({ entity }: QueriesScope) =>
  entity.version === undefined ? [] : ['versions ...int64']

/** What is said of them. */
const versionText = ({ entity }: QueriesScope) =>
  entity.version === undefined ? '' : ' that has one of the versions'

function updateMethod(scope: QueriesScope): string {
  const { entity, struct, names, service, file, platform_ } = scope
  const { select, update, writable } = entityStatements(service, struct)
  const states = stateAttributes(entity)
  const row = (statement: Statement, isUpdate: boolean, indent: number) =>
    query(scope, 'Row', `scan${names.type}`, statement, rowValue(scope, 'writer', isUpdate), indent)
  const transition = [
    `return ${platform_}.Transition(func() (${names.type}, error) {`,
    ...indented([`return ${row(update, true, 2)}`]),
    '}, func() error {',
    ...indented([
      `stored, err := ${row(writable ?? select, false, 2)}`,
      ...states.flatMap((attribute) => {
        const [name, field] = [quoted(attribute.names.declared), fieldIn(scope)(attribute)]
        const values = [name, `stored.${field}`, `input.${field}`, `stored.${field}.next()`]
        return [block('if err == nil', [`err = ${platform_}.RequireChange(${values.join(', ')})`])]
      }),
      'return err',
    ]),
    '})',
  ]
  const refused = states.length === 0 ? '' : ', and 409 for a value that the stored one cannot become'
  return `// Update${names.type} changes ${withArticle(entity.names.declared)}. Returns ErrNotFound without one${versionText(scope)}${refused}.\n${method(
    `Update${names.type}`,
    [`input ${names.update}`, ...versionParameter(scope)],
    `(${names.type}, error)`,
    [
      ...(onlyReadsWithoutChanges(entity)
        ? [
            `// A statement would ${hasTimestamps(entity) ? 'set the time of the last change' : 'count a version'}.`,
            block(
              `if ${changesNothing(names, 'input', `input.${names.id}`)}`,
              entity.version === undefined
                ? [`return d.Read${names.type}(ctx, input.${names.id})`]
                : [
                    `found, err := d.Read${names.type}(ctx, input.${names.id})`,
                    `return found, ${file.use('cmp')}.Or(err, ${platform_}.HasVersion(found.Version, versions))`,
                  ],
            ),
          ]
        : []),
      ...(states.length === 0 ? [`return ${row(update, true, 1)}`] : transition),
    ],
  )}`
}

function deleteMethod(scope: QueriesScope): string {
  const { entity, struct, names, service, file } = scope
  const { delete: remove } = entityStatements(service, struct)
  const scan = `${file.use('github.com/jackc/pgx/v5')}.RowTo[${file.use('github.com/google/uuid')}.UUID]`
  return `// Delete${names.type} deletes ${withArticle(entity.names.declared)}. Returns ErrNotFound without one${versionText(scope)}.\n${method(
    `Delete${names.type}`,
    [`input ${names.id}`, ...versionParameter(scope)],
    'error',
    [`_, err := ${query(scope, 'Row', scan, remove, rowValue(scope, 'writer'))}`, 'return err'],
  )}`
}
