import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hundred } from './hundred-definition.ts'

// Generates the definition for benchmarks: `node scripts/make-hundred.ts [services] [file]`.
const services = Number(process.argv[2] ?? '100')
if (!Number.isInteger(services) || services < 2) {
  console.error('The number of services must be at least 2, for example: node scripts/make-hundred.ts 100')
  process.exit(2)
}
const file = process.argv[3] ?? join(import.meta.dirname, '../examples/hundred/hundred.portico')
writeFileSync(file, hundred(services))
