#!/usr/bin/env node
// Every Node since 18 must be able to read this file, so that an old one prints an error and not a syntax error.
const [major, minor] = process.versions.node.split('.').map(Number)
// The first versions with `crypto.randomUUIDv7`, which services use.
const isOld = major === 24 ? minor < 16 : major === 26 ? minor < 1 : major < 27
// Loading Node's modules this way is faster than `import` (see scripts/build.mjs).
const { existsSync } = isOld ? await import('node:fs') : process.getBuiltinModule('node:fs')
const inPackage = (path) => new URL(`../${path}`, import.meta.url)

const bundle = inPackage('dist/cli/main.mjs')
const source = inPackage('src/cli/main.ts')
const firstRun = inPackage('scripts/first-run.mjs')

if (
  !existsSync(bundle) &&
  existsSync(firstRun) &&
  !existsSync(inPackage('node_modules/.package-lock.json'))
) {
  // In a fresh clone, `npx portico` runs this file before anything is installed.
  await import(firstRun.href)
} else if (isOld) {
  process.stderr.write(
    `error: Portico needs Node.js 24 (24.16 or later) or 26.1 or later; this is ${process.versions.node}\nhelp: npm install --save-dev node@26\n`,
  )
  process.exitCode = 3
} else {
  process.getBuiltinModule('node:module').enableCompileCache()
  // A clone without a bundle runs its source, which Node can read.
  const useSource = (process.env.PORTICO_SOURCE === '1' && existsSync(source)) || !existsSync(bundle)
  await import((useSource ? source : bundle).href)
}
