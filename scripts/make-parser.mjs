// Generates the parser and the types of the syntax tree from the grammar: `npm run grammar`.
//
// For a rule whose actions decide its type, Langium generates only the common supertype, `Declaration`. This script
// replaces it by the actual types, so that `$type` narrows them, and loads the grammar with our own function (see
// src/language/load-grammar.ts).
import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const { status } = spawnSync('langium', ['generate'], { cwd: root, stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

const grammarPath = `${root}src/language/generated/grammar.ts`
const grammar = await readFile(grammarPath, 'utf8')
await writeFile(
  grammarPath,
  grammar
    .replace(
      "import { loadGrammarFromJson } from 'langium'",
      "import { loadGrammar } from '../load-grammar.ts'",
    )
    .replace('loadGrammarFromJson(', 'loadGrammar('),
)

const path = `${root}src/language/generated/ast.ts`
const generated = await readFile(path, 'utf8')
await writeFile(
  path,
  generated
    .replaceAll(/members: Array<Declaration \|[^>]*>;/g, 'members: Array<Member>;')
    .replace(
      /(interface Declaration extends langium\.AstNode \{\n)/,
      '$1    readonly $container: Block | Definition;\n',
    ),
)
