import { bindArguments } from './argument-binding.ts'
import { metadataNamed } from './builtins.ts'
import { enumWordOf, isNamed, type NamedArgument } from './enum-values.ts'
import {
  type Annotation,
  type Attribute,
  type Block,
  isAttribute,
  type Metadata,
  type WordValue,
} from './generated/ast.ts'
import { metadataOf } from './validation/definition-index.ts'

/** The first `@was` of an attribute, or `#was` of a block. */
export function wasOf(declaration: Attribute | Block): Annotation | Metadata | undefined {
  return isAttribute(declaration)
    ? declaration.annotations.find(({ name }) => name === 'was')
    : metadataOf(declaration, 'was')
}

/** The name in `@was(rate)` or `#was(House)`; `undefined` if it is absent or of the wrong kind. */
export function formerNameIn(was: Annotation | Metadata): WordValue | undefined {
  if (was.$type === 'Annotation') {
    const [first] = was.arguments?.items ?? []
    return first?.name === undefined && first?.value.$type === 'WordValue' ? first.value : undefined
  }
  const parameter = metadataNamed(was.name)?.parameter
  const value = parameter && bindArguments(was.arguments, [parameter]).values.get(parameter.name)
  return value?.$type === 'WordValue' ? value : undefined
}

/** The former name of an attribute, service or struct, as written. */
export function formerNameOf(declaration: Attribute | Block): string | undefined {
  const was = wasOf(declaration)
  return was && formerNameIn(was)?.word
}

/** The arguments of `@was(pending: waiting)`: the names are values of an `enum`, the values their former names. */
export function formerValuesIn(was: Annotation | Metadata): NamedArgument[] {
  return was.$type === 'Annotation' ? (was.arguments?.items ?? []).filter(isNamed) : []
}

/** The former names of the values of an `enum`, by value. */
export function formerValuesOf(attribute: Attribute): ReadonlyMap<string, string> {
  const was = wasOf(attribute)
  const pairs = was === undefined ? [] : formerValuesIn(was)
  return new Map(
    pairs.flatMap(({ name, value }) => {
      const former = enumWordOf(value)
      return former === undefined ? [] : [[name, former]]
    }),
  )
}
