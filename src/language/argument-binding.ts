import type { Argument, Arguments, Metadata, Type, Value, Word } from './generated/ast.ts'
import { enumValueOf } from './enum-values.ts'
import { type Decimal, parseDecimal, parseFloatingPoint, parseInteger } from './numbers.ts'
import {
  allowedValue,
  type MetadataEntry,
  metadataNamed,
  metadataParameters,
  namesDeclaration,
  type Parameter,
  takesList,
  typeNamed,
} from './builtins.ts'

/** A problem with one argument. */
export interface ArgumentProblem {
  readonly kind: 'unknown' | 'duplicate' | 'surplus' | 'unnamed' | 'positional-after-named' | 'wrong-kind'
  readonly argument: Argument
  /** The parameter of the argument; `undefined` for unknown and surplus arguments. */
  readonly parameter: Parameter | undefined
  /** For a duplicate: the argument that already set the parameter. */
  readonly earlier: Argument | undefined
}

/** Arguments bound to parameters: positional ones first, then named ones. */
export interface ArgumentBinding {
  /** Values by parameter name, the first one for duplicates. They have the parameter's kind, but are otherwise unchecked. */
  readonly values: ReadonlyMap<string, Value>
  /** In the order of the text. */
  readonly problems: readonly ArgumentProblem[]
}

/** Matches arguments with parameters. `list` is `undefined` without brackets. Pairs are named arguments of any name. */
export function bindArguments(
  list: Arguments | undefined,
  parameters: readonly Parameter[],
): ArgumentBinding {
  const [first] = parameters
  if (first?.kind === 'values') return { values: new Map(), problems: invalidValues(list, first) }
  const single = parameters.filter(({ kind }) => kind !== 'formerValues')
  const hasPairs = single.length < parameters.length
  const values = new Map<string, Value>()
  const given = new Map<string, Argument>()
  const problems: ArgumentProblem[] = []
  let named = false
  for (const [index, argument] of (list?.items ?? []).entries()) {
    const problem = (kind: ArgumentProblem['kind'], parameter?: Parameter, earlier?: Argument): number =>
      problems.push({ kind, argument, parameter, earlier })
    if (argument.name === undefined && named) {
      problem('positional-after-named')
      continue
    }
    named ||= argument.name !== undefined
    if (named && hasPairs) continue
    const parameter =
      argument.name === undefined
        ? single[index]
        : parameters.find((candidate) => candidate.name === argument.name)
    if (parameter === undefined) {
      problem(argument.name === undefined ? 'surplus' : 'unknown')
      continue
    }
    if (argument.name === undefined && parameter.byName) {
      problem('unnamed', parameter)
      continue
    }
    const earlier = given.get(parameter.name)
    if (earlier !== undefined) {
      problem('duplicate', parameter, earlier)
      continue
    }
    given.set(parameter.name, argument)
    if (isOfKind(argument.value, parameter)) values.set(parameter.name, argument.value)
    else problem('wrong-kind', parameter)
  }
  return { values, problems }
}

/** The arguments that are not valid values of an `enum`. */
function invalidValues(list: Arguments | undefined, parameter: Parameter): ArgumentProblem[] {
  return (list?.items ?? [])
    .filter((argument) => enumValueOf(argument) === undefined)
    .map((argument) => ({ kind: 'wrong-kind', argument, parameter, earlier: undefined }))
}

/** Binds the arguments of a built-in type. References have no parameters. */
export function bindTypeArguments(type: Type): ArgumentBinding {
  return bindArguments(
    type.arguments,
    type.$type === 'PrimitiveType' ? (typeNamed(type.name)?.parameters ?? []) : [],
  )
}

/** The exact integer of a parameter; `undefined` if it is absent or malformed. */
export function integerArgument(binding: ArgumentBinding, parameter: string): bigint | undefined {
  const given = binding.values.get(parameter)
  return given?.$type === 'NumberValue' ? parseInteger(given.text) : undefined
}

/** The double of a parameter; `undefined` if it is absent or malformed, infinite if it is out of range. */
export function floatArgument(binding: ArgumentBinding, parameter: string): number | undefined {
  const given = binding.values.get(parameter)
  return given?.$type === 'NumberValue' ? parseFloatingPoint(given.text) : undefined
}

/** The decimal number of a parameter; `undefined` if it is absent or malformed. */
export function decimalArgument(binding: ArgumentBinding, parameter: string): Decimal | undefined {
  const given = binding.values.get(parameter)
  return given?.$type === 'NumberValue' ? parseDecimal(given.text) : undefined
}

/** The values of a metadata item: one for `#readable(by: all)`, those of the list for `#omit[...]`. */
export function metadataValues(metadata: Metadata): readonly Value[] {
  const parameter = metadataNamed(metadata.name)?.parameter
  if (parameter === undefined) return []
  const given = metadata.list ?? bindArguments(metadata.arguments, [parameter]).values.get(parameter.name)
  if (given === undefined || !isOfKind(given, parameter)) return []
  return given.$type === 'ListValue' ? given.items : [given]
}

/** The words among the values of a metadata item, as written. */
export function metadataWords(metadata: Metadata): readonly Word[] {
  return metadataValues(metadata).filter((given) => isWord(given))
}

/** The words of an optional list of a metadata item: of `sort` in `#enumerable(sort: [rate])`. */
export function optionWords(metadata: Metadata, option: string): readonly string[] {
  return argumentWords(metadata, option).map(wordText)
}

/** Whether a value is one word, or the name of a service or an attribute. */
export function isWord(value: Value): value is Word {
  return value.$type !== 'NumberValue' && value.$type !== 'TextValue' && value.$type !== 'ListValue'
}

/** The words of an argument that is one word or a list of them: of `by` in `#access(by: [agent])`. */
export function argumentWords(metadata: Metadata, name: string): readonly Word[] {
  const entry = metadataNamed(metadata.name)
  const given = bindArguments(metadata.arguments, entry ? metadataParameters(entry) : []).values.get(name)
  if (given === undefined) return []
  return (given.$type === 'ListValue' ? given.items : [given]).filter((item) => isWord(item))
}

/** The parameter that an argument of metadata sets, or its list, which is no argument; `undefined` if it sets none. */
export function metadataParameter(metadata: Metadata, argument: Argument | undefined): Parameter | undefined {
  const entry = metadataNamed(metadata.name)
  const parameters = entry === undefined ? [] : metadataParameters(entry)
  return parameters.find(({ name, byName }) =>
    argument?.name === undefined ? byName !== true : name === argument.name,
  )
}

/** The word as written. */
export function wordText(value: Word): string {
  switch (value.$type) {
    case 'WordValue':
      return value.word
    case 'ServiceValue':
      return value.service.$refText
    case 'EntityValue':
      return value.entity.$refText
    case 'AttributeValue':
    default:
      return value.attribute.$refText
  }
}

/** The valid words of a metadata item in canonical spelling (`typescript` for `ts`), without duplicates. */
export function canonicalWords(metadata: Metadata): readonly string[] {
  const entry: MetadataEntry | undefined = metadataNamed(metadata.name)
  const parameter = entry?.parameter
  if (parameter === undefined) return []
  const words = metadataWords(metadata).map((given) => acceptedWord(parameter, wordText(given)))
  return [...new Set(words.filter((word) => word !== undefined))]
}

/** A word that a parameter accepts, in canonical spelling. Names that the definition declares are checked elsewhere. */
export function acceptedWord(parameter: Parameter, word: string): string | undefined {
  return namesDeclaration(parameter) ? word : allowedValue(parameter, word)?.name
}

function isOfKind(given: Value, parameter: Parameter): boolean {
  const { kind } = parameter
  if (takesList(parameter)) return given.$type === 'ListValue'
  if (kind === 'callers' || kind === 'roles') return isWord(given) || given.$type === 'ListValue'
  if (kind === 'word' || kind === 'name' || kind === 'entity') return isWord(given)
  if (kind === 'text') return given.$type === 'TextValue'
  if (given.$type !== 'NumberValue') return false
  if (kind === 'decimal') return parseDecimal(given.text) !== undefined
  return (kind === 'integer' ? parseInteger(given.text) : parseFloatingPoint(given.text)) !== undefined
}
