import type { TextDocumentContentProvider } from 'langium/lsp'
import { CATALOGUE, type DiagnosticCode, isDiagnosticCode } from '../diagnostics/catalogue.ts'

/** Documents with addresses of this scheme are the server's own: it answers their text when it is asked. */
export const EXPLANATION_SCHEME = 'portico'

const ADDRESS = /^portico:\/explain\/([a-z-]+)\.md$/

/**
 * Where a diagnostic is explained. It is a document of the server itself (`workspace/textDocumentContent`): it
 * needs no network, says what this version means, and holds wherever the server is installed.
 */
export function pageOf(code: DiagnosticCode): string {
  return `${EXPLANATION_SCHEME}:/explain/${code}.md`
}

/** What `portico explain` shows, as Markdown; `undefined` for an address that is none of `pageOf`. */
export function explanation(address: string): string | undefined {
  const code = ADDRESS.exec(address)?.[1]
  if (code === undefined || !isDiagnosticCode(code)) return undefined
  const { severity, title, explanation: text, bad, good } = CATALOGUE[code]
  return [
    `# ${title}`,
    `\`${severity}[${code}]\``,
    text,
    'This has it:',
    fenced(bad),
    'This does not:',
    `${fenced(good)}\n`,
  ].join('\n\n')
}

function fenced(definition: string): string {
  return `\`\`\`portico\n${definition.trimEnd()}\n\`\`\``
}

/** Answers requests for the text of those documents. */
export const explanations: TextDocumentContentProvider = {
  schemes: [EXPLANATION_SCHEME],
  provideTextDocumentContent: async ({ uri }) => {
    const text = explanation(uri)
    return text === undefined ? undefined : { text }
  },
}
