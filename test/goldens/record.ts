import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CASES, GOLDEN, produce } from './cases.ts'

// `npm run golden`: records every golden case anew. Read the difference before committing it.
for (const name of CASES) {
  const directory = join(GOLDEN, name)
  const files = produce(name)
  rmSync(join(directory, 'expected'), { recursive: true, force: true })
  for (const [path, content] of files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), content)
  }
  process.stdout.write(`${name}: ${files.size - 1} files\n`)
}
