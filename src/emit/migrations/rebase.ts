import { conflictProblem, conflicts, headerProblem, type MigrationFolder } from '../../migration/folder.ts'
import { type MigrationFile, migrationNumber, migrationStates } from '../../migration/migration-file.ts'
import { EMPTY_STATE, schemaOf } from '../../migration/states.ts'
import type { Database } from '../database/databases.ts'
import { schemaHash } from '../database/hash.ts'
import { formatSchema, recordOf } from './recorded-schema.ts'
import { sha256 } from '../../sha256.ts'

/** What a rebase does to a `migrations` directory. */
interface Rebase {
  /** Files with their new names and headers. */
  readonly renamed: readonly { readonly from: string; readonly to: MigrationFile }[]
  readonly schema: string
}

/**
 * Puts the migrations of two branches in one order: the branch that has the files for which `isSettled` holds keeps its
 * numbers, or else the one whose first file comes first in the alphabet. The files of the other follow. Returns a
 * sentence if that does not lead to the definition.
 */
export function rebaseMigrations(
  database: Omit<Database, 'directory'>,
  { path, files }: MigrationFolder,
  isSettled: (path: string) => boolean,
): Rebase | string {
  const rank = ({ name }: MigrationFile) => (isSettled(`${path}/${name}`) ? 0 : 1)
  const sorted = files.toSorted(
    (a, b) =>
      migrationNumber(a.name) - migrationNumber(b.name) || rank(a) - rank(b) || (a.name < b.name ? -1 : 1),
  )
  const conflicting = sorted.find(({ content }) => conflicts(content))
  if (conflicting !== undefined) return conflictProblem(path, conflicting.name)
  const unreadable = sorted.find(({ content }) => migrationStates(content) === undefined)
  if (unreadable !== undefined) return headerProblem(path, unreadable.name)
  const kept: MigrationFile[] = []
  let state = EMPTY_STATE
  for (const file of sorted) {
    const states = migrationStates(file.content)
    if (states?.from !== state || migrationNumber(file.name) !== kept.length + 1) continue
    kept.push(file)
    state = states.to
  }
  const moved = sorted.filter((file) => !kept.includes(file))
  const wanted = schemaHash(database.tables)
  if (moved.length === 0 && schemaOf(state) !== wanted)
    return `The migrations in ${path} do not lead to this definition. Rebase with the definition that they were generated from, then run \`portico generate\``
  const lastHash = schemaOf(migrationStates(moved.at(-1)?.content ?? '')?.to ?? '')
  const hashes = new Map([[lastHash, wanted]])
  const renamed = moved.map(({ name, content }, index) => {
    const old = migrationStates(content) ?? { from: '', to: '' }
    const hash = schemaOf(old.to)
    // A schema between the two branches is one that no definition had.
    const newHash = hashes.get(hash) ?? sha256(`${state} ${hash}`)
    hashes.set(hash, newHash)
    // The user's own SQL does not change the schema of the definition.
    const [from, to] = [state, old.from === old.to ? state : old.to.replace(hash, newHash)]
    state = to
    const number = String(kept.length + index + 1).padStart(4, '0')
    return {
      from: name,
      to: {
        name: name.replace(/^\d+/, number),
        content: content.replace(`-- schema: ${old.from} -> ${old.to}`, `-- schema: ${from} -> ${to}`),
      },
    }
  })
  return { renamed, schema: formatSchema(recordOf(database, state)) }
}
