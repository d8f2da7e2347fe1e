import { bindArguments } from './argument-binding.ts'
import { annotationNamed, metadataNamed } from './builtins.ts'
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
  const entry = was.$type === 'Annotation' ? annotationNamed(was.name) : metadataNamed(was.name)
  const parameter = entry?.parameter
  const value = parameter && bindArguments(was.arguments, [parameter]).values.get(parameter.name)
  return value?.$type === 'WordValue' ? value : undefined
}

/** The former name of an attribute, service or struct, as written. */
export function formerNameOf(declaration: Attribute | Block): string | undefined {
  const was = wasOf(declaration)
  return was && formerNameIn(was)?.word
}
