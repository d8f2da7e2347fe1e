import type { Argument, Arguments, Value } from './generated/ast.ts'

const VALID_VALUE = /^[A-Za-z0-9_][A-Za-z0-9_-]*$/

/** The value of an `enum` that an argument declares; `undefined` if it is not a valid one. */
export function enumValueOf({ name, value }: Argument): string | undefined {
  const word = name === undefined ? wordOf(value) : undefined
  return word !== undefined && VALID_VALUE.test(word) ? word : undefined
}

/** The valid values of an `enum`, in the order of the definition. */
export function enumValues(list: Arguments | undefined): string[] {
  return (list?.items ?? []).flatMap((argument) => enumValueOf(argument) ?? [])
}

/** `open`, and `2xl`, which the lexer reads as a number. */
function wordOf(value: Value): string | undefined {
  if (value.$type === 'WordValue') return value.word
  return value.$type === 'NumberValue' ? value.text : undefined
}
