import type {
  ClientCapabilities as ProtocolCapabilities,
  MarkupContent,
  MarkupKind,
} from 'vscode-languageserver-protocol'

/** The capabilities that the editor announces in `initialize`. All are false before that. */
export interface ClientCapabilities {
  readonly snippets: boolean
  /** It indents the following lines of an insertion itself (`InsertTextMode.adjustIndentation`). */
  readonly adjustsIndentation: boolean
  /** It requests the documentation of a completion item when it shows the item. */
  readonly resolvesDocumentation: boolean
  /** It requests the edit of a code action when the user chooses the action. */
  readonly resolvesEdits: boolean
  readonly completionMarkdown: boolean
  readonly hoverMarkdown: boolean
  readonly signatureMarkdown: boolean
  /** It can ask the user before it makes an edit (`changeAnnotations`). */
  readonly confirmsEdits: boolean
  /** It accepts the position of a parameter in the label of a signature as offsets. */
  readonly labelOffsets: boolean
}

const ADJUST_INDENTATION = 2

/** The capabilities of a client. Without any: an editor that supports as little as the protocol allows. */
export function clientCapabilitiesFrom({
  textDocument = {},
  workspace: { workspaceEdit } = {},
}: ProtocolCapabilities = {}): ClientCapabilities {
  const { codeAction, completion, hover, signatureHelp } = textDocument
  const item = completion?.completionItem
  return {
    snippets: item?.snippetSupport === true,
    adjustsIndentation: item?.insertTextModeSupport?.valueSet.includes(ADJUST_INDENTATION) === true,
    resolvesDocumentation: item?.resolveSupport?.properties.includes('documentation') === true,
    resolvesEdits:
      codeAction?.resolveSupport?.properties.includes('edit') === true && codeAction.dataSupport === true,
    confirmsEdits:
      workspaceEdit?.documentChanges === true && workspaceEdit.changeAnnotationSupport !== undefined,
    completionMarkdown: hasMarkdown(item?.documentationFormat),
    hoverMarkdown: hasMarkdown(hover?.contentFormat),
    signatureMarkdown: hasMarkdown(signatureHelp?.signatureInformation?.documentationFormat),
    labelOffsets: signatureHelp?.signatureInformation?.parameterInformation?.labelOffsetSupport === true,
  }
}

function hasMarkdown(formats: readonly MarkupKind[] | undefined): boolean {
  return formats?.includes('markdown') === true
}

/** Documentation in a form that the client supports. Without its markup, Markdown is readable as plain text. */
export function markup(markdown: string, supportsMarkdown: boolean): MarkupContent {
  if (supportsMarkdown) return { kind: 'markdown', value: markdown }
  const value = markdown
    .replace(/^```.*\n?/gm, '')
    .replace(/\*\*(.+?)\*\*/g, '$1')
    .replace(/`/g, '')
    .replace(/ {2}$/gm, '')
  return { kind: 'plaintext', value }
}
