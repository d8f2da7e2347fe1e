import type { SignatureHelpProvider } from 'langium/lsp'
import type { ParameterInformation, SignatureHelp } from 'vscode-languageserver-protocol'
import type { Read } from '../syntax/read.ts'
import { HASH } from '../syntax/tokens.ts'
import { metadataNamed, type Parameter, typeNamed } from '../vocabulary.ts'
import { type EditorAbilities, markup } from './client.ts'
import { type Brackets, bracketsAround } from './completion/brackets.ts'
import { statementStart } from './completion/statement.ts'
import { editorDocument } from './document.ts'
import { parameterMarkdown } from './vocabulary-markdown.ts'

/** What the brackets around a place take, and which of it is being written. */
export function signatureHelp(abilities: () => EditorAbilities): SignatureHelpProvider {
  return {
    signatureHelpOptions: { triggerCharacters: ['(', '[', ','], retriggerCharacters: [':', ' '] },
    provideSignatureHelp(document, { position }) {
      const found = signatureAt(editorDocument(document).read, document.textDocument.offsetAt(position))
      return found === undefined ? undefined : inProtocol(found, abilities())
    },
  }
}

/** A call of a type or of metadata. */
export interface Signature {
  readonly label: string
  readonly docs: string
  readonly parameters: readonly Parameter[]
  /** Of each parameter: where it stands in the label. */
  readonly places: readonly (readonly [start: number, end: number])[]
  /** Index of the parameter that is being written; `undefined` where there is none left. */
  readonly active: number | undefined
}

/** The call around an offset, finished or not; `undefined` outside of brackets and where nothing takes arguments. */
export function signatureAt({ tree }: Read, offset: number): Signature | undefined {
  const { tokens } = tree
  const end = tokens.firstFrom(offset)
  const first = statementStart(tree, end)
  const isMetadata = tokens.kind(first) === HASH
  const callee = first + (isMetadata ? 1 : 2)
  if (callee >= end) return undefined
  const brackets = bracketsAround(tree, callee + 1, end, end)
  if (brackets === undefined) return undefined
  const name = tokens.textOf(callee)
  const entry = isMetadata ? metadataNamed(name) : typeNamed(name)
  if (entry === undefined) return undefined
  const parameters =
    'parameters' in entry ? entry.parameters : entry.parameter === undefined ? [] : [entry.parameter]
  if (parameters.length === 0) return undefined
  return {
    ...labelled(`${isMetadata ? '#' : ''}${name}`, parameters),
    docs: entry.docs,
    active: activeOf(brackets, parameters),
  }
}

function labelled(
  name: string,
  parameters: readonly Parameter[],
): Pick<Signature, 'label' | 'parameters' | 'places'> {
  const isList = parameters[0]?.kind === 'words' || parameters[0]?.kind === 'services'
  const places: [number, number][] = []
  let label = `${name}${isList ? '[' : '('}`
  for (const [index, parameter] of parameters.entries()) {
    if (index > 0) label += ', '
    const start = label.length
    label += isList ? parameter.name : `${parameter.name}: ${valuesOf(parameter)}`
    places.push([start, label.length])
  }
  return { label: `${label}${isList ? ']' : ')'}`, parameters, places }
}

function valuesOf({ kind, values }: Parameter): string {
  return values.length === 0 ? kind : values.map(({ name }) => name).join(' | ')
}

function activeOf({ kind, before, current }: Brackets, parameters: readonly Parameter[]): number | undefined {
  if (kind === '[') return 0
  const indexOf = (name: string): number => parameters.findIndex((parameter) => parameter.name === name)
  if (current.name !== undefined) return present(indexOf(current.name))
  const named = before.findIndex(({ name }) => name !== undefined)
  if (named < 0) return before.length < parameters.length ? before.length : undefined
  const given = new Set(before.map(({ name }, index) => (name === undefined ? index : indexOf(name))))
  return present(parameters.findIndex((_, index) => !given.has(index)))
}

function present(index: number): number | undefined {
  return index < 0 ? undefined : index
}

function inProtocol(
  { label, docs, parameters, places, active }: Signature,
  { labelOffsets, signatureMarkdown }: EditorAbilities,
): SignatureHelp {
  const information = parameters.map((parameter, index): ParameterInformation => {
    const [start, end] = places[index] ?? [0, 0]
    return {
      label: labelOffsets ? [start, end] : label.slice(start, end),
      documentation: markup(parameterMarkdown(parameter), signatureMarkdown),
    }
  })
  return {
    signatures: [{ label, documentation: markup(docs, signatureMarkdown), parameters: information }],
    activeSignature: 0,
    // One that there is not: nothing is shown as being written.
    activeParameter: active ?? parameters.length,
  }
}
