import { mkdirSync, writeFileSync } from 'node:fs'
import { diagnosticsPage } from './diagnostics-page.ts'
import { languagePage } from './language-page.ts'
import { llmsPage } from './llms-page.ts'

// `npm run docs`: writes the reference pages, which are generated from tables in the source, and
// llms.txt, the list of all pages.
const docs = new URL('../docs/', import.meta.url)
mkdirSync(docs, { recursive: true })
writeFileSync(new URL('language.md', docs), `${languagePage()}\n`)
writeFileSync(new URL('diagnostics.md', docs), `${diagnosticsPage()}\n`)
writeFileSync(new URL('../llms.txt', docs), `${llmsPage()}\n`)
