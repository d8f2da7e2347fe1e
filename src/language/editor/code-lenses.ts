import { counted } from '../../model/names.ts'
import type { CodeLensProvider } from 'langium/lsp'
import type { CodeLens, Command } from 'vscode-languageserver-protocol'
import { metadataWords } from '../calls.ts'
import { metadataOf } from '../checks/facts.ts'
import type { Block } from '../generated/ast.ts'
import { hasName, nameSpan } from '../syntax/places.ts'
import type { Read } from '../syntax/read.ts'
import { endpointsOf } from './block-markdown.ts'
import { knownFacts, referencesTo } from './definition-facts.ts'
import { editorDocument } from './document.ts'
import type { EditorSettings } from './settings.ts'

/**
 * What stands over blocks: run and generate over the project, the numbers of references and endpoints over
 * services and structs. The commands are the client's: each has the address of the definition as its first
 * argument; `portico.showReferences` and `portico.showEndpoints` have the position of the name as the second.
 */
export function codeLenses(settings: () => EditorSettings): CodeLensProvider {
  return {
    provideCodeLens(document, { textDocument: { uri } }) {
      const { read } = editorDocument(document)
      const { textDocument } = document
      return lensesOf(read, settings().codeLens).map(({ at, end, title, command, hasPosition }): CodeLens => {
        const start = textDocument.positionAt(at)
        const given: Command = { title, command, arguments: hasPosition ? [uri, start] : [uri] }
        return { range: { start, end: textDocument.positionAt(end) }, command: given }
      })
    },
  }
}

/** One lens, over a stretch of the text. */
export interface Lens {
  readonly at: number
  readonly end: number
  readonly title: string
  readonly command: 'portico.run' | 'portico.generate' | 'portico.showReferences' | 'portico.showEndpoints'
  /** The command is told where the name stands. */
  readonly hasPosition: boolean
}

/** The lenses of a definition in the order of the text. */
export function lensesOf(read: Read, shown: EditorSettings['codeLens']): Lens[] {
  const uses = shown.references ? usesByName(read) : new Map<string, number>()
  return knownFacts(read).blocks.flatMap((block) => {
    if (!hasName(block)) return []
    const { start: at, end } = nameSpan(block)
    const lens = (title: string, command: Lens['command']): Lens => ({
      at,
      end,
      title,
      command,
      hasPosition: block.kind !== 'project',
    })
    if (block.kind === 'project')
      return shown.commands ? [lens('Run', 'portico.run'), lens('Generate', 'portico.generate')] : []
    if (block.kind !== 'service' && block.kind !== 'struct') return []
    const lenses: Lens[] = []
    if (shown.references)
      lenses.push(lens(counted(referenceCount(read, block, uses), 'reference'), 'portico.showReferences'))
    if (shown.endpoints)
      lenses.push(lens(counted(endpointsOf(block).length, 'endpoint'), 'portico.showEndpoints'))
    return lenses
  })
}

/** How often it is spoken of: by attributes, and in `#uses`. */
function referenceCount(read: Read, block: Block, uses: ReadonlyMap<string, number>): number {
  const attributes = referencesTo(read).get(block)?.length ?? 0
  return attributes + (read.scope.services.get(block.name) === block ? (uses.get(block.name) ?? 0) : 0)
}

function usesByName(read: Read): Map<string, number> {
  const counts = new Map<string, number>()
  for (const block of knownFacts(read).blocks) {
    const metadata = metadataOf(block, 'uses')
    for (const { word } of metadata === undefined ? [] : metadataWords(metadata))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}
