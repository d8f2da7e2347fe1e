import { go } from '@codemirror/lang-go'
import { javascript } from '@codemirror/lang-javascript'
import { json } from '@codemirror/lang-json'
import { markdown } from '@codemirror/lang-markdown'
import { PostgreSQL, sql } from '@codemirror/lang-sql'
import { yaml } from '@codemirror/lang-yaml'
import { defaultHighlightStyle, foldGutter, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { dockerFile } from '@codemirror/legacy-modes/mode/dockerfile'
import { lua } from '@codemirror/legacy-modes/mode/lua'
import { shell } from '@codemirror/legacy-modes/mode/shell'
import { unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { oneDarkHighlightStyle } from '@codemirror/theme-one-dark'
import { EditorView, lineNumbers } from '@codemirror/view'
import { isDark } from './theme.ts'

/** The language of a file, by the end of its name. */
const LANGUAGES: Readonly<Record<string, () => Extension>> = {
  Dockerfile: () => StreamLanguage.define(dockerFile),
  go,
  json,
  lua: () => StreamLanguage.define(lua),
  md: markdown,
  sh: () => StreamLanguage.define(shell),
  sql: () => sql({ dialect: PostgreSQL }),
  ts: () => javascript({ typescript: true }),
  yaml,
  yml: yaml,
}

/** Shows generated files. */
export class Viewer {
  readonly #view: EditorView

  constructor(parent: Element) {
    this.#view = new EditorView({ parent })
  }

  /**
   * Shows a file.
   *
   * @param before the text that it is compared with
   */
  show(path: string, text: string, before?: string): void {
    const ending = path.split(/[/.]/).at(-1) ?? ''
    this.#view.setState(
      EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          foldGutter(),
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({ 'aria-label': path, tabindex: '0' }),
          EditorView.theme({}, { dark: isDark() }),
          syntaxHighlighting(isDark() ? oneDarkHighlightStyle : defaultHighlightStyle),
          LANGUAGES[ending]?.() ?? [],
          before === undefined
            ? []
            : unifiedMergeView({
                original: before,
                mergeControls: false,
                collapseUnchanged: { margin: 3, minSize: 6 },
              }),
        ],
      }),
    )
  }
}
