import type { Attribute, Entity, Service } from '../../model/platform.ts'
import { codeFile } from '../kit/code-file.ts'
import { type Code, join } from '../kit/layout.ts'
import { requested, setByHooks, stored, valueType } from './attributes.ts'
import { docComment, documented } from './documentation.ts'
import { type EntityTypes, entityTypes, parentKey } from './names.ts'
import { isSent } from './wire.ts'

/** `entities.ts`: what is stored, what clients send, and what hooks may change of it. */
export function entitiesFile(service: Service): string {
  const types = [...entityTypes(service)].map(([entity, names]) => entityInterfaces(entity, names))
  return codeFile('entities.ts').text(join(types, '\n\n'))
}

function entityInterfaces(entity: Entity, types: EntityTypes): Code {
  const name = entity.names.declared
  const parent = 'parent' in entity ? [`  ${parentKey(entity)}: string`] : []
  const kept = setByHooks(entity)
  const known = stored(entity).filter((attribute) => !kept.includes(attribute))
  const whole = [
    ...parent,
    ...stored(entity).map((attribute) => member(attribute, valueType(attribute.type))),
  ]
  return join(
    [
      declaration(types.stored, documented(`A stored ${name}.`, entity.documentation), [
        '  id: string',
        ...whole,
      ]),
      ...(isSent(entity)
        ? [
            declaration(
              types.request,
              `What a client sends to create or update a ${name}.`,
              requested(entity).map((attribute) => member(attribute, valueType(attribute.type))),
            ),
          ]
        : []),
      declaration(types.create, 'What a create stores.', ['  readonly id: string', ...whole]),
      declaration(
        types.update,
        kept.length === 0
          ? 'What an update stores.'
          : 'What an update stores; an attribute that is `undefined` keeps its value.',
        [
          '  id: string',
          ...parent,
          ...known.map((attribute) => member(attribute, valueType(attribute.type))),
          ...kept.map((attribute) => member(attribute, `${valueType(attribute.type)} | undefined`)),
        ],
      ),
    ],
    '\n\n',
  )
}

function declaration(name: string, documentation: string, members: readonly string[]): string {
  if (members.length === 0) return `${docComment(documentation)}export type ${name} = Record<string, never>`
  return `${docComment(documentation)}export interface ${name} {\n${members.join('\n')}\n}`
}

function member({ names, documentation }: Attribute, type: string): string {
  return `${docComment(documentation, 2)}  ${names.declared}: ${type}`
}
