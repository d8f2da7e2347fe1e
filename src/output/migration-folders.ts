import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type MigrationFolder, SCHEMA_FILE } from '../migration/folder.ts'
import { serviceOfDatabase } from '../naming.ts'
import { viewDirectory } from './project-view.ts'

/**
 * Reads the SQL files and `schema.json` of the `migrations` directories of a project, without others that a merge may
 * leave there. CRLF becomes LF: version control may convert it, and names and hashes must not depend on it. Symbolic
 * links are not followed. Throws a system error.
 */
export function readMigrationFolders(root: string): MigrationFolder[] {
  const view = viewDirectory(root)
  const namesIn = (path: string): string[] =>
    view.entry(path).kind === 'directory' ? readdirSync(join(root, path)).sort() : []
  return namesIn('.')
    .filter((name) => serviceOfDatabase(name) !== name)
    .map((name) => `${name}/migrations`)
    .flatMap((path) => {
      const files = namesIn(path)
        .filter((name) => /^[^.].*\.sql$/.test(name) || name === SCHEMA_FILE)
        .map((name) => {
          const found = view.entry(`${path}/${name}`)
          return { name, content: found.kind === 'file' ? found.text.replaceAll('\r\n', '\n') : '' }
        })
      if (files.length === 0) return []
      const schema = files.find(({ name }) => name === SCHEMA_FILE)?.content
      return [{ path, files: files.filter(({ name }) => name !== SCHEMA_FILE), schema }]
    })
}
