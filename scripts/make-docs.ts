import { mkdirSync, writeFileSync } from 'node:fs'
import { languagePage } from './language-page.ts'

// `npm run docs`: writes the pages that come from tables in the source.
const docs = new URL('../docs/', import.meta.url)
mkdirSync(docs, { recursive: true })
writeFileSync(new URL('language.md', docs), `${languagePage()}\n`)
