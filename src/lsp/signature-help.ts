import { AstUtils, type LangiumDocument } from 'langium'
import type { SignatureHelpProvider } from 'langium/lsp'
import type { ParameterInformation, SignatureHelp, SignatureHelpParams } from 'vscode-languageserver-protocol'
import {
  annotationNamed,
  metadataNamed,
  metadataParameters,
  type Parameter,
  takesList,
  typeNamed,
} from '../language/builtins.ts'
import { isArgument, isMetadata } from '../language/generated/ast.ts'
import type { PorticoServices } from '../language/module.ts'
import type { DefinitionParseResult } from '../language/parse-result.ts'
import { parameterMarkdown } from './builtin-markdown.ts'
import { type ClientCapabilities, markup } from './client-capabilities.ts'
import type { Definitions } from './definitions.ts'
import { type ArgumentContext, argumentContextAt, type ItemContext } from './completion/context.ts'

/** The parameters of a type or of metadata, shown while the user types their arguments. */
export interface Signature {
  readonly label: string
  readonly docs: string
  readonly parameters: readonly Parameter[]
  /** The position of each parameter in the label. */
  readonly ranges: readonly (readonly [start: number, end: number])[]
  /** Index of the parameter at the cursor; `undefined` if all have arguments. */
  readonly active: number | undefined
}

/** The parameters for the brackets at a position, and the active one. */
export class DefinitionSignatureHelp implements SignatureHelpProvider {
  readonly signatureHelpOptions = { triggerCharacters: ['(', '[', ','], retriggerCharacters: [':', ' '] }
  readonly #services: PorticoServices
  readonly #definitions: Definitions
  readonly #clientCapabilities: () => ClientCapabilities

  constructor(
    services: PorticoServices,
    definitions: Definitions,
    clientCapabilities: () => ClientCapabilities,
  ) {
    this.#services = services
    this.#definitions = definitions
    this.#clientCapabilities = clientCapabilities
  }

  provideSignatureHelp(
    document: LangiumDocument,
    { position }: SignatureHelpParams,
  ): SignatureHelp | undefined {
    const view = this.#definitions.view(document)
    const found = signatureAt(view.result, view.offsetAt(position), this.#services)
    return found && toProtocol(found, this.#clientCapabilities())
  }
}

/** The signature for the brackets around an offset; `undefined` outside brackets and without parameters. */
export function signatureAt(
  parseResult: DefinitionParseResult,
  offset: number,
  services: PorticoServices,
): Signature | undefined {
  const context = argumentContextAt(parseResult, offset, services)
  if (context === undefined) return undefined
  const { owner } = context
  if (isMetadata(owner)) {
    const entry = metadataNamed(owner.name)
    const parameters = entry === undefined ? [] : metadataParameters(entry)
    return entry && parameters.length > 0
      ? signature(`#${owner.name}`, entry.docs, parameters, context)
      : undefined
  }
  if (owner.$type === 'Annotation') {
    const entry = annotationNamed(owner.name)
    const parameters = [entry?.parameter, entry?.pairs].filter((parameter) => parameter !== undefined)
    return entry && parameters.length > 0
      ? signature(`@${owner.name}`, entry.docs, parameters, context)
      : undefined
  }
  const entry = owner.$type === 'PrimitiveType' ? typeNamed(owner.name) : undefined
  if (entry === undefined || entry.parameters.length === 0) return undefined
  return signature(entry.name, entry.docs, entry.parameters, context)
}

function signature(
  name: string,
  docs: string,
  parameters: readonly Parameter[],
  context: ArgumentContext | ItemContext,
): Signature {
  const isList = parameters.length === 1 && parameters.some(takesList)
  const ranges: [number, number][] = []
  let label = `${name}${isList ? '[' : '('}`
  for (const [index, parameter] of parameters.entries()) {
    if (index > 0) label += ', '
    const start = label.length
    label += parameterLabel(parameter, isList)
    ranges.push([start, label.length])
  }
  label += isList ? ']' : ')'
  return { label, docs, parameters, ranges, active: activeParameter(context, parameters) }
}

function parameterLabel(parameter: Parameter, isList: boolean): string {
  const { kind, name } = parameter
  if (kind === 'values') return `${name}, ...`
  if (kind === 'formerValues') return `${name}: oldValue, ...`
  if (kind === 'transitions') return `${name}: [nextValue, ...], ...`
  return isList ? name : `${name}: ${valuesText(parameter)}`
}

function valuesText(parameter: Parameter): string {
  const { kind, values } = parameter
  if (takesList(parameter)) return '[...]'
  return values.length === 0 ? kind : values.map(({ name }) => name).join(' | ')
}

function activeParameter(
  context: ArgumentContext | ItemContext,
  parameters: readonly Parameter[],
): number | undefined {
  if (parameters[0]?.kind === 'values' || parameters[0]?.kind === 'transitions') return 0
  const indexOf = (name: string): number =>
    parameters.findIndex((parameter) => parameter.name === name || parameter.kind === 'formerValues')
  if (context.kind === 'item') {
    const argument = AstUtils.getContainerOfType(context.list, isArgument)
    return argument === undefined ? 0 : existing(indexOf(argument.name ?? parameters[0]?.name ?? ''))
  }
  const { argument, property } = context
  const { items } = argument.$container
  if (property === 'value' && argument.name !== undefined) return existing(indexOf(argument.name))
  const before = items.slice(0, items.indexOf(argument))
  if (before.every(({ name }) => name === undefined))
    return before.length < parameters.length ? before.length : undefined
  const given = new Set(before.map(({ name }, index) => (name === undefined ? index : indexOf(name))))
  return existing(parameters.findIndex((_, index) => !given.has(index)))
}

function existing(index: number): number | undefined {
  return index < 0 ? undefined : index
}

function toProtocol(
  { label, docs, parameters, ranges, active }: Signature,
  { labelOffsets, signatureMarkdown }: ClientCapabilities,
): SignatureHelp {
  const information = parameters.map((parameter, index): ParameterInformation => {
    const [start, end] = ranges[index] ?? [0, 0]
    return {
      label: labelOffsets ? [start, end] : label.slice(start, end),
      documentation: markup(parameterMarkdown(parameter), signatureMarkdown),
    }
  })
  return {
    signatures: [{ label, documentation: markup(docs, signatureMarkdown), parameters: information }],
    activeSignature: 0,
    // With an index after the last parameter, none is shown as active.
    activeParameter: active ?? parameters.length,
  }
}
