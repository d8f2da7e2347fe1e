/** `node run-migrations.ts <url> <directory>`: applies the migrations of a directory, in a process that can be killed. */
import { applyMigrations } from '../../../templates/typescript/lib/migrate.ts'

const [connectionString = '', directory = ''] = process.argv.slice(2)
await applyMigrations({ connection: { connectionString }, directory, all: true })
