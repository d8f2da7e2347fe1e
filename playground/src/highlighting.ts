import { StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import type { LSPClient } from '@codemirror/lsp-client'
import { type Extension, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import type { SemanticTokens } from 'vscode-languageserver-protocol'

// The colors of the words of a definition are those of the server's semantic tokens. It has none for comments and texts.

const setTokens = StateEffect.define<DecorationSet>()

const tokens = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (current, { effects, changes }) =>
    effects.find((effect) => effect.is(setTokens))?.value ?? current.map(changes),
  provide: (field) => EditorView.decorations.from(field),
})

const comments = StreamLanguage.define({
  token: (stream) => {
    if (stream.match(/\/\/.*/)) return 'comment'
    if (stream.match(/"(?:[^"\\]|\\.)*"/)) return 'string'
    stream.next()
    return null
  },
})

/** The colors of definitions. */
export const highlighting: Extension = [comments, syntaxHighlighting(classHighlighter), tokens]

/** Numbers for each token: lines and columns from the last one, length, type, modifiers. */
const TOKEN_LENGTH = 5

/** Requests the colors of the file that a view shows. */
export async function requestHighlighting(client: LSPClient, view: EditorView, uri: string): Promise<void> {
  const { doc } = view.state
  const types = client.serverCapabilities?.semanticTokensProvider?.legend.tokenTypes ?? []
  const found = await client
    .request<object, SemanticTokens | null>('textDocument/semanticTokens/full', { textDocument: { uri } })
    .catch(() => null)
  if (found === null || view.state.doc !== doc) return
  const builder = new RangeSetBuilder<Decoration>()
  let [line, column] = [0, 0]
  for (let at = 0; at < found.data.length; at += TOKEN_LENGTH) {
    const [lines = 0, columns = 0, length = 0, type = 0] = found.data.slice(at, at + TOKEN_LENGTH)
    column = lines === 0 ? column + columns : columns
    line += lines
    const from = doc.line(line + 1).from + column
    builder.add(from, from + length, Decoration.mark({ class: `tok-${types[type]}` }))
  }
  view.dispatch({ effects: setTokens.of(builder.finish()) })
}
