import type { TextDocumentContentProvider } from 'langium/lsp'
import { CATALOGUE, type DiagnosticCode, isDiagnosticCode } from '../diagnostics/catalogue.ts'

/** The scheme of documents that the server provides. */
export const EXPLANATION_SCHEME = 'portico'

const ADDRESS = /^portico:\/explain\/([a-z-]+)\.md$/

/**
 * The URI of the page that explains a diagnostic. The server provides it
 * (`workspace/textDocumentContent`), so it works offline and describes the installed version.
 */
export function explanationUri(code: DiagnosticCode): string {
  return `${EXPLANATION_SCHEME}:/explain/${code}.md`
}

/** The text of `portico explain` as Markdown; `undefined` for any address that `pageOf` does not return. */
export function explanation(address: string): string | undefined {
  const code = ADDRESS.exec(address)?.[1]
  if (code === undefined || !isDiagnosticCode(code)) return undefined
  const { severity, title, explanation: text, bad, good } = CATALOGUE[code]
  return [
    `# ${title}`,
    `\`${severity}[${code}]\``,
    text,
    '**Incorrect**',
    fenced(bad),
    '**Correct**',
    `${fenced(good)}\n`,
  ].join('\n\n')
}

function fenced(definition: string): string {
  return `\`\`\`portico\n${definition.trimEnd()}\n\`\`\``
}

/** Serves those documents. */
export const explanationProvider: TextDocumentContentProvider = {
  schemes: [EXPLANATION_SCHEME],
  provideTextDocumentContent: async ({ uri }) => {
    const text = explanation(uri)
    return text === undefined ? undefined : { text }
  },
}
