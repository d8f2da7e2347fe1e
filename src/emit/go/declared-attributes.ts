import type { Attribute } from '../../model/platform.ts'
import { attributeType, defaultExpression, enumOf, reading, valueType } from './attributes.ts'
import { enumReader } from './entity.ts'
import type { GoFile } from './go-file.ts'
import { block, constants, type Field, quoted } from './layout.ts'
import { type DeclaredNames, exported } from './names.ts'

/** The field of an attribute that an endpoint or a job declares. */
export function fieldOf({ fields }: DeclaredNames, { names: { declared } }: Attribute): string {
  return fields.get(declared) ?? exported(declared)
}

/** The documentation of an attribute's field. */
export function documented({ documentation }: Attribute): Pick<Field, 'documentation'> {
  return documentation === '' ? {} : { documentation }
}

/** The fields of what the user's code receives. */
export function receivedFields(
  file: GoFile,
  attributes: readonly Attribute[],
  names: DeclaredNames,
): Field[] {
  return attributes.map((attribute) => ({
    ...documented(attribute),
    name: fieldOf(names, attribute),
    type: attributeType(file, attribute, names),
  }))
}

/** The fields of what is written as JSON, which has all attributes. */
export function writtenFields(file: GoFile, attributes: readonly Attribute[], names: DeclaredNames): Field[] {
  return receivedFields(file, attributes, names).map((field, index) => ({
    ...field,
    tag: `\`json:"${attributes[index]?.names.declared ?? ''}"\``,
  }))
}

/** The fields of what is written as JSON and may lack attributes that have defaults. */
export function sentFields(file: GoFile, attributes: readonly Attribute[], names: DeclaredNames): Field[] {
  return attributes.map((attribute) => {
    const isOmitted = attribute.default !== undefined
    const type = attributeType(file, attribute, names)
    return {
      ...documented(attribute),
      name: fieldOf(names, attribute),
      type: isOmitted && !attribute.optional ? `*${type}` : type,
      tag: `\`json:"${attribute.names.declared}${isOmitted ? ',omitempty' : ''}"\``,
    }
  })
}

/** The types of the enums of attributes, each with the function that reads it. */
export function readEnums(file: GoFile, attributes: readonly Attribute[], names: DeclaredNames): string[] {
  return enumTypes(attributes, names).flatMap(({ type, constants: words, text }) => [
    text,
    enumReader(file.internal('platform'), type, words),
  ])
}

/** The types of the enums of attributes. */
export function enumTypes(
  attributes: readonly Attribute[],
  { enums }: DeclaredNames,
): { type: string; constants: readonly string[]; text: string }[] {
  return attributes.flatMap(({ names: { declared }, type: kind }) => {
    if (kind.kind !== 'enum') return []
    const own = enumOf(declared, enums)
    const rows = own.constants.map(
      (name, index) => [name, own.type, quoted(kind.values[index] ?? '')] as const,
    )
    const text = `// ${own.type} is a value of \`${declared}\`.\ntype ${own.type} string

// The values of ${own.type}.\n${constants(rows)}`
    return [{ ...own, text }]
  })
}

/** The statement that reads an attribute of `values` into a field of `receiver`. */
export function readLine(
  file: GoFile,
  receiver: string,
  attribute: Attribute,
  names: DeclaredNames,
  isRequest: boolean,
): string {
  return `${receiver}.${fieldOf(names, attribute)} = ${reads(file, attribute, names, isRequest)}`
}

/** The expression that reads an attribute of a request or a response. */
function reads(file: GoFile, attribute: Attribute, own: DeclaredNames, isRequest: boolean): string {
  const { names, type, optional } = attribute
  const given = isRequest ? attribute.default : undefined
  const platform = file.internal('platform')
  const name = quoted(names.declared)
  const read = reading(file, attribute, own.enums, 'values', name)
  if (!optional && given === undefined) return read
  if (type.kind === 'data' && given === undefined)
    return read.replace('values.Data(', `${platform}.OptionalData(values, `)
  const readValue = valueReader(file, attribute, own)
  if (given === undefined) return `${platform}.Optional(values, ${name}, ${readValue})`
  const value = defaultExpression(file, attribute, given, own)
  return `${platform}.${optional ? 'OptionalDefault' : 'Default'}(values, ${name}, ${value}, ${readValue})`
}

/** The function that reads a value which may be missing. */
function valueReader(file: GoFile, attribute: Attribute, own: DeclaredNames): string {
  const values = `${file.internal('platform')}.Values`
  if (attribute.type.kind === 'enum') return `read${enumOf(attribute.names.declared, own.enums).type}`
  const read = reading(file, attribute, own.enums, 'v', 'name')
  const [, method] = /^v\.(\w+)\(name\)$/.exec(read) ?? []
  if (method !== undefined) return `(*${values}).${method}`
  return block(`func(v *${values}, name string) ${valueType(file, attribute, own)}`, [`return ${read}`])
}
