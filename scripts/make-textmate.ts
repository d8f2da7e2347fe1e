import { writeFileSync } from 'node:fs'
import { textMateGrammar } from './textmate-grammar.ts'

// `npm run textmate`: writes the TextMate grammar from the language grammar and the built-ins.
const file = new URL('../syntaxes/portico.tmLanguage.json', import.meta.url)
writeFileSync(file, `${JSON.stringify(textMateGrammar(), undefined, 2)}\n`)
