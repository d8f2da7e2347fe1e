#!/usr/bin/env node
// Any Node since 18 has to be able to read this file, so that an old one gets a sentence and not a syntax error.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  process.stderr.write(
    `error: Portico needs Node.js 24 or later; this is ${process.versions.node} (${process.execPath}).\n`,
  )
  process.exit(3)
}
// Import statements for Node's own modules would load more of them than is needed (see scripts/build.mjs).
process.getBuiltinModule('node:module').enableCompileCache()
const { existsSync } = process.getBuiltinModule('node:fs')

const bundle = new URL('../dist/cli/main.mjs', import.meta.url)
const source = new URL('../src/cli/main.ts', import.meta.url)
// A clone that was not built yet runs from its source, which Node reads as it is.
const fromSource = (process.env.PORTICO_SOURCE === '1' && existsSync(source)) || !existsSync(bundle)
await import((fromSource ? source : bundle).href)
