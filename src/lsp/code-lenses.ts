import type { CodeLensProvider } from 'langium/lsp'
import type { CodeLens, Command } from 'vscode-languageserver-protocol'
import { hasName, isNamedInService, nameSpan } from '../language/nodes.ts'
import type { DefinitionParseResult } from '../language/parse-result.ts'
import type { Span } from '../language/raw-diagnostic.ts'
import { definitionIndex } from '../language/validation/definition-index.ts'
import { counted } from '../naming.ts'
import { countEndpoints } from './block-markdown.ts'
import type { Definitions } from './definitions.ts'
import type { EditorSettings } from './editor-settings.ts'
import { referencesTo } from './references.ts'

/**
 * The lenses above blocks: Run and Generate above the project, the numbers of references and endpoints above
 * services and structs. The client implements the commands: each has the URI of the definition as its first
 * argument; `portico.showReferences` and `portico.showEndpoints` have the position of the name as the second.
 */
export function codeLenses(definitions: Definitions, settings: () => EditorSettings): CodeLensProvider {
  return {
    provideCodeLens(document, { textDocument: { uri } }) {
      const view = definitions.view(document)
      return codeLensesIn(view.result, settings().codeLens, view.file).map(
        ({ at, end, title, command, hasPosition }): CodeLens => {
          const range = view.rangeOf({ start: at, end })
          const given: Command = { title, command, arguments: hasPosition ? [uri, range.start] : [uri] }
          return { range, command: given }
        },
      )
    },
  }
}

/** A lens above a range of the text. */
export interface OffsetCodeLens {
  readonly at: number
  readonly end: number
  readonly title: string
  readonly command: 'portico.run' | 'portico.generate' | 'portico.showReferences' | 'portico.showEndpoints'
  /** Whether the position of the name is an argument of the command. */
  readonly hasPosition: boolean
}

/** The lenses of a file of a definition in the order of the text. */
export function codeLensesIn(
  result: DefinitionParseResult,
  shown: EditorSettings['codeLens'],
  file: Span = result.mainFile,
): OffsetCodeLens[] {
  return definitionIndex(result.value).blocks.flatMap((block) => {
    if (!hasName(block)) return []
    const { start: at, end } = nameSpan(block)
    if (at < file.start || at > file.end) return []
    const lens = (title: string, command: OffsetCodeLens['command']): OffsetCodeLens => ({
      at,
      end,
      title,
      command,
      hasPosition: block.$type !== 'Project',
    })
    if (block.$type === 'Project')
      return shown.commands ? [lens('Run', 'portico.run'), lens('Generate', 'portico.generate')] : []
    if (block.$type === 'UnknownBlock' || isNamedInService(block)) return []
    const lenses: OffsetCodeLens[] = []
    if (shown.references)
      lenses.push(lens(counted(referencesTo(result, block).length, 'reference'), 'portico.showReferences'))
    if (shown.endpoints)
      lenses.push(lens(counted(countEndpoints(block), 'endpoint'), 'portico.showEndpoints'))
    return lenses
  })
}
