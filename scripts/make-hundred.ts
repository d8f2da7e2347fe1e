import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hundred } from './hundred-definition.ts'

// Writes the definition that measurements use: `node scripts/make-hundred.ts [services] [file]`.
const services = Number(process.argv[2] ?? '100')
if (!Number.isInteger(services) || services < 2) {
  console.error('Give a number of services from 2: node scripts/make-hundred.ts 100')
  process.exit(2)
}
const file = process.argv[3] ?? join(import.meta.dirname, '../examples/hundred/hundred.portico')
writeFileSync(file, hundred(services))
