import type { Argument, ArgumentList, AttributeType, Metadata, Value, WordValue } from './generated/ast.ts'
import { parseFloatingPoint, parseInteger } from './numbers.ts'
import {
  allowedValue,
  type MetadataEntry,
  metadataNamed,
  type Parameter,
  type ParameterKind,
  typeNamed,
} from './vocabulary.ts'

/** What is wrong with one argument of a call. */
export interface ArgumentProblem {
  readonly kind: 'unknown' | 'repeated' | 'surplus' | 'positional-behind-named' | 'wrong-kind'
  readonly argument: Argument
  /** The parameter that it was meant for; `undefined` for unknown and surplus ones. */
  readonly parameter: Parameter | undefined
  /** Of a repeated one: the argument that set the parameter before. */
  readonly earlier: Argument | undefined
}

/** The arguments of a call, matched with the parameters: positional ones first, then named ones. */
export interface Call {
  /** By parameter name; the first where a parameter is given twice. Of the parameter's kind, but unchecked otherwise. */
  readonly values: ReadonlyMap<string, Value>
  /** In the order of the text. */
  readonly problems: readonly ArgumentProblem[]
}

/** Matches arguments with parameters. `list` is `undefined` where there are no brackets. */
export function readCall(list: ArgumentList | undefined, parameters: readonly Parameter[]): Call {
  const values = new Map<string, Value>()
  const given = new Map<string, Argument>()
  const problems: ArgumentProblem[] = []
  let named = false
  for (const [index, argument] of (list?.items ?? []).entries()) {
    const problem = (kind: ArgumentProblem['kind'], parameter?: Parameter, earlier?: Argument): number =>
      problems.push({ kind, argument, parameter, earlier })
    if (argument.name === undefined && named) {
      problem('positional-behind-named')
      continue
    }
    named ||= argument.name !== undefined
    const parameter =
      argument.name === undefined
        ? parameters[index]
        : parameters.find((candidate) => candidate.name === argument.name)
    if (parameter === undefined) {
      problem(argument.name === undefined ? 'surplus' : 'unknown')
      continue
    }
    const earlier = given.get(parameter.name)
    if (earlier !== undefined) {
      problem('repeated', parameter, earlier)
      continue
    }
    given.set(parameter.name, argument)
    if (!isPresent(argument.value)) continue
    if (isOfKind(argument.value, parameter.kind)) values.set(parameter.name, argument.value)
    else problem('wrong-kind', parameter)
  }
  return { values, problems }
}

/** The arguments of an attribute's built-in type; those of a reference are none of its business: no values. */
export function readType(type: AttributeType): Call {
  return readCall(type.arguments, typeNamed(type.target.$refText)?.parameters ?? [])
}

/** The integer given for a parameter, exactly; `undefined` where it is absent or malformed. */
export function integerArgument(call: Call, parameter: string): bigint | undefined {
  const given = call.values.get(parameter)
  return given?.$type === 'NumberValue' ? parseInteger(given.text) : undefined
}

/** The double given for a parameter; `undefined` where it is absent or malformed, infinite beyond doubles. */
export function floatArgument(call: Call, parameter: string): number | undefined {
  const given = call.values.get(parameter)
  return given?.$type === 'NumberValue' ? parseFloatingPoint(given.text) : undefined
}

/** The values of a metadata item: one for `#readable(by: all)`, those of the list for `#omit[...]`. */
export function metadataValues(metadata: Metadata): readonly Value[] {
  const parameter = metadataNamed(metadata.name)?.parameter
  if (parameter === undefined) return []
  const given = metadata.list ?? readCall(metadata.arguments, [parameter]).values.get(parameter.name)
  if (given === undefined || !isOfKind(given, parameter.kind)) return []
  return given.$type === 'ListValue' ? given.items : [given]
}

/** The words among the values of a metadata item, as written. */
export function metadataWords(metadata: Metadata): readonly WordValue[] {
  return metadataValues(metadata).filter((given) => given.$type === 'WordValue')
}

/** The valid words of a metadata item in their canonical spelling (`ts` is `typescript`), each once. */
export function canonicalWords(metadata: Metadata): readonly string[] {
  const entry: MetadataEntry | undefined = metadataNamed(metadata.name)
  const parameter = entry?.parameter
  if (parameter === undefined) return []
  const words = metadataWords(metadata).map((given) =>
    parameter.kind === 'services' ? given.word : allowedValue(parameter, given.word)?.name,
  )
  return [...new Set(words.filter((word) => word !== undefined))]
}

function isOfKind(given: Value, kind: ParameterKind): boolean {
  if (kind === 'word') return given.$type === 'WordValue'
  if (kind === 'words' || kind === 'services') return given.$type === 'ListValue'
  if (given.$type !== 'NumberValue') return false
  return (kind === 'integer' ? parseInteger(given.text) : parseFloatingPoint(given.text)) !== undefined
}

/** After error recovery nodes lack what the grammar promises. */
function isPresent<T>(node: T | undefined): node is T {
  return node !== undefined
}
