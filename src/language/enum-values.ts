import { type AstNode, AstUtils } from 'langium'
import {
  type Annotation,
  type Argument,
  type Arguments,
  type Attribute,
  isAnnotation,
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

/** The value of an `enum` that a new entity has: the default, or else the first one. */
export function initialValue({ default: given, type }: Attribute): string | undefined {
  return given === undefined || given.$type === 'TextValue'
    ? enumValues(type.arguments)[0]
    : enumWordOf(given)
}

/** The declaration of a value of an `enum`. */
export type EnumValue = WordValue | NumberValue

/** Whether a node declares a value of an `enum`. */
export function isEnumValue(node: AstNode): node is EnumValue {
  const isValue = node.$type === 'WordValue' || node.$type === 'NumberValue'
  return isValue && enumValueNamed(node as EnumValue) === node
}

/**
 * Returns the declaration of the value of an `enum` that a node names: a value that it declares, a default, what `@was`
 * gives a former name, or a value in `@transitions`.
 */
export function enumValueNamed(node: Argument | WordValue | NumberValue): EnumValue | undefined {
  const attribute = AstUtils.getContainerOfType(node, isAttribute)
  if (attribute?.type.$type !== 'PrimitiveType' || attribute.type.name !== 'enum') return undefined
  const declared = (attribute.type.arguments?.items ?? []).flatMap((argument) =>
    enumValueOf(argument) === undefined ? [] : [argument.value as EnumValue],
  )
  if (node.$type !== 'Argument' && declared.includes(node)) return node
  const annotation = AstUtils.getContainerOfType(node, isAnnotation)
  const isName =
    annotation === undefined
      ? node.$container === attribute
      : annotation.name === 'transitions' || (annotation.name === 'was' && node.$type === 'Argument')
  const name = node.$type === 'Argument' ? node.name : wordOf(node)
  return isName ? declared.find((value) => wordOf(value) === name) : undefined
}

/** `open`, and `2xl`, which the lexer reads as a number. */
function wordOf(value: Value): string | undefined {
  if (value.$type === 'WordValue') return value.word
  return value.$type === 'NumberValue' ? value.text : undefined
}

/** An argument with a name. */
export type NamedArgument = Argument & { readonly name: string }

export function isNamed(argument: Argument): argument is NamedArgument {
  return argument.name !== undefined
}

/** The arguments of `@transitions(draft: [sent, void])`: a value of the `enum`, and those that it can become. */
export interface TransitionArgument {
  readonly argument: NamedArgument
  readonly targets: readonly Value[]
}

/** The arguments of the `@transitions` of an attribute that have a value before the `:`. */
export function transitionArguments({ arguments: list }: Annotation): TransitionArgument[] {
  return (list?.items ?? []).filter(isNamed).map((argument) => {
    const { value } = argument
    return { argument, targets: value.$type === 'ListValue' ? value.items : [value] }
  })
}

/** What each value of an `enum` can become; `undefined` without `@transitions`. */
export function transitionsOf({ annotations }: Attribute): Map<string, string[]> | undefined {
  const transitions = annotations.find(({ name }) => name === 'transitions')
  return (
    transitions &&
    new Map(
      transitionArguments(transitions).map(({ argument: { name }, targets }) => [
        name,
        targets.flatMap((target) => enumWordOf(target) ?? []).filter((target) => target !== name),
      ]),
    )
  )
}
