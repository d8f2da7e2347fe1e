import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CASES, GOLDEN, recorded, toRecord } from './cases.ts'

// `npm run golden`: records every golden case again. Read the difference before you commit it.
for (const name of CASES) {
  const directory = join(GOLDEN, name)
  const files = toRecord(name)
  for (const path of recorded(name).keys()) rmSync(join(directory, path))
  rmSync(join(directory, 'expected'), { recursive: true, force: true })
  for (const [path, content] of files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), content)
  }
  process.stdout.write(`${name}: ${files.size} files\n`)
}
