import { type AstNode, AstUtils } from 'langium'
import {
  type Argument,
  type Arguments,
  isAttribute,
  type NumberValue,
  type Value,
  type WordValue,
} from './generated/ast.ts'

const VALID_VALUE = /^[A-Za-z0-9_][A-Za-z0-9_-]*$/

/** Whether a text can be a value of an `enum`. */
export function isEnumWord(text: string): boolean {
  return VALID_VALUE.test(text)
}

/** The word of a value of an `enum`, as written; `undefined` if it is not a valid one. */
export function enumWordOf(value: Value): string | undefined {
  const word = wordOf(value)
  return word !== undefined && isEnumWord(word) ? word : undefined
}

/** The value of an `enum` that an argument declares; `undefined` if it is not a valid one. */
export function enumValueOf({ name, value }: Argument): string | undefined {
  return name === undefined ? enumWordOf(value) : undefined
}

/** The valid values of an `enum`, in the order of the definition. */
export function enumValues(list: Arguments | undefined): string[] {
  return (list?.items ?? []).flatMap((argument) => enumValueOf(argument) ?? [])
}

/** The declaration of a value of an `enum`. */
export type EnumValue = WordValue | NumberValue

/** Whether a node declares a value of an `enum`. */
export function isEnumValue(node: AstNode): node is EnumValue {
  const isValue = node.$type === 'WordValue' || node.$type === 'NumberValue'
  return isValue && enumValueNamed(node as EnumValue) === node
}

/**
 * Returns the declaration of the value of an `enum` that a node names: a value that it declares, a default, or what
 * `@was` gives a former name.
 */
export function enumValueNamed(node: Argument | WordValue | NumberValue): EnumValue | undefined {
  const attribute = AstUtils.getContainerOfType(node, isAttribute)
  if (attribute?.type.$type !== 'PrimitiveType' || attribute.type.name !== 'enum') return undefined
  const declared = (attribute.type.arguments?.items ?? []).flatMap((argument) =>
    enumValueOf(argument) === undefined ? [] : [argument.value as EnumValue],
  )
  if (node.$type !== 'Argument' && declared.includes(node)) return node
  const isName =
    node.$type === 'Argument'
      ? node.$container.$container.$type === 'Annotation' && node.$container.$container.name === 'was'
      : node.$container === attribute
  const name = node.$type === 'Argument' ? node.name : wordOf(node)
  return isName ? declared.find((value) => wordOf(value) === name) : undefined
}

/** `open`, and `2xl`, which the lexer reads as a number. */
function wordOf(value: Value): string | undefined {
  if (value.$type === 'WordValue') return value.word
  return value.$type === 'NumberValue' ? value.text : undefined
}
