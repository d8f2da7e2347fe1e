import { writeFileSync } from 'node:fs'
import { textMateGrammar } from './textmate-grammar.ts'

// `npm run textmate`: writes the colours of definitions from the grammar and the vocabulary.
const file = new URL('../syntaxes/portico.tmLanguage.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(textMateGrammar(), undefined, 2)}\n`)
