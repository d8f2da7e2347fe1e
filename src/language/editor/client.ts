import type { ClientCapabilities, MarkupContent, MarkupKind } from 'vscode-languageserver-protocol'

/** What the editor at the other end can take, as it says in `initialize`; each is false until it says so. */
export interface EditorAbilities {
  readonly snippets: boolean
  readonly commitCharacters: boolean
  /** It indents the further lines of an insertion itself (`InsertTextMode.adjustIndentation`). */
  readonly adjustsIndentation: boolean
  readonly completionMarkdown: boolean
  readonly hoverMarkdown: boolean
  readonly signatureMarkdown: boolean
  /** It takes the place of a parameter in the label of a signature as offsets. */
  readonly labelOffsets: boolean
}

const ADJUST_INDENTATION = 2

/** What a client can take. Without capabilities: an editor that can as little as the protocol allows. */
export function abilitiesOf({ textDocument = {} }: ClientCapabilities = {}): EditorAbilities {
  const { completion, hover, signatureHelp } = textDocument
  const item = completion?.completionItem
  return {
    snippets: item?.snippetSupport === true,
    commitCharacters: item?.commitCharactersSupport === true,
    adjustsIndentation: item?.insertTextModeSupport?.valueSet.includes(ADJUST_INDENTATION) === true,
    completionMarkdown: hasMarkdown(item?.documentationFormat),
    hoverMarkdown: hasMarkdown(hover?.contentFormat),
    signatureMarkdown: hasMarkdown(signatureHelp?.signatureInformation?.documentationFormat),
    labelOffsets: signatureHelp?.signatureInformation?.parameterInformation?.labelOffsetSupport === true,
  }
}

function hasMarkdown(formats: readonly MarkupKind[] | undefined): boolean {
  return formats?.includes('markdown') === true
}

/** Documentation in the form that the client takes. Markdown without its signs is readable text. */
export function markup(markdown: string, takesMarkdown: boolean): MarkupContent {
  if (takesMarkdown) return { kind: 'markdown', value: markdown }
  const value = markdown
    .replace(/^```.*\n?/gm, '')
    .replace(/\*\*(.+?)\*\*/g, '$1')
    .replace(/`/g, '')
    .replace(/ {2}$/gm, '')
  return { kind: 'plaintext', value }
}
