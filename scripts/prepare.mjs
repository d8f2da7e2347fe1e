// npm runs this after it has installed the dependencies, before it packs the project, and for `npx portico` in a fresh
// clone before anything is installed. In that case, bin/portico.mjs installs the dependencies.
import { existsSync } from 'node:fs'

if (existsSync(new URL('../node_modules/.package-lock.json', import.meta.url))) await import('./build.mjs')
