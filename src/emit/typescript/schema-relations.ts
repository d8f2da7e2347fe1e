import { storedAttributes } from '../../model/entities.ts'
import type { Attribute } from '../../model/platform.ts'
import type { CodeFile } from '../codegen/code-file.ts'
import { call, type Code, code, join, list, object } from '../codegen/layout.ts'
import { type EntityNames, parentKey } from './names.ts'
import { mainEntity, type ServiceScope } from './scope.ts'

/** The relations between the service's entity, its structs, and structs that refer to siblings. */
export function relationsOf(file: CodeFile, scope: ServiceScope): Code {
  const { entity, names } = mainEntity(scope)
  const relations = file.value('drizzle-orm', 'relations')
  const structs = scope.entities.flatMap(({ struct, names: structNames }) =>
    struct === undefined ? [] : [{ struct, structNames }],
  )
  const many = structs.map(
    ({ struct, structNames }) =>
      code`${relationKey(entity, `${structNames.variable}List`)}: ${call('many', structNames.variable, "{ relationName: '" + struct.table + "' }")}`,
  )
  const of = (structNames: EntityNames, kind: string, members: readonly Code[]) =>
    code`export const ${structNames.relations} = ${call(relations, structNames.variable, code`({ ${kind} }) => (${object(members)})`)}`
  return join(
    [
      of(names, 'many', many),
      ...structs.map(({ struct, structNames }) => {
        const one = (
          key: string,
          target: string,
          fields: readonly string[],
          references: readonly string[],
          name: string,
        ) =>
          code`${relationKey(struct, key)}: ${call(
            'one',
            target,
            object([
              `relationName: '${name}'`,
              code`fields: ${list('[', fields, ']')}`,
              code`references: ${list('[', references, ']')}`,
            ]),
          )}`
        const siblings = storedAttributes(struct).flatMap(({ names: { declared, snake }, type }) => {
          const target =
            type.kind === 'sibling'
              ? scope.entities.find((each) => each.entity.table === type.table)
              : undefined
          if (target === undefined) return []
          const variable = target.names.variable
          return [
            one(
              `${declared}Entry`,
              variable,
              [`${structNames.variable}.${declared}`],
              [`${variable}.id`],
              `${struct.table}.${snake}`,
            ),
          ]
        })
        const parent = one(
          names.variable,
          names.variable,
          [`${structNames.variable}.${parentKey(struct)}`],
          [`${names.variable}.id`],
          struct.table,
        )
        return of(structNames, 'one', [parent, ...siblings])
      }),
    ],
    '\n\n',
  )
}

/** A key that differs from all columns, which `db.query` returns in the same object. */
function relationKey(entity: { readonly attributes: readonly Attribute[] }, key: string): string {
  return entity.attributes.some(({ names }) => names.declared === key) ? `${key}_` : key
}
