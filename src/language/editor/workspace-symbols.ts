import { SymbolKind, type WorkspaceSymbol } from 'vscode-languageserver'
import { hasName, nameSpan } from '../syntax/places.ts'
import type { EditorDocument } from './document.ts'
import { kindOf } from './outline.ts'
import { rangeOf } from './ranges.ts'
import { blocksOf } from './symbols.ts'

/** Every block and attribute of a definition, for finding it from anywhere. */
export function workspaceSymbols(document: EditorDocument): WorkspaceSymbol[] {
  const found: WorkspaceSymbol[] = []
  const { uri } = document.textDocument
  const project = document.read.definition.blocks.find(({ kind }) => kind === 'project')?.name
  for (const block of blocksOf(document.read)) {
    const holder = block.$container.$type === 'Block' ? block.$container.name : project
    if (hasName(block))
      found.push({
        name: block.name,
        kind: kindOf(block),
        location: { uri, range: rangeOf(document, nameSpan(block)) },
        ...(holder === undefined || holder === block.name ? {} : { containerName: holder }),
      })
    for (const member of block.members) {
      if (member.$type !== 'Attribute') continue
      found.push({
        name: member.name,
        kind: SymbolKind.Field,
        location: { uri, range: rangeOf(document, nameSpan(member)) },
        containerName: block.name,
      })
    }
  }
  return found
}

/** Whether the characters of a query are in a name, in this order; capitals and small letters are the same. */
export function matches(name: string, query: string): boolean {
  const letters = name.toLowerCase()
  let at = 0
  for (const letter of query.toLowerCase()) {
    at = letters.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}
