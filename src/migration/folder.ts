import { type MigrationFile, migrationNumber, migrationStates } from './migration-file.ts'
import { EMPTY_STATE } from './states.ts'

/** What is in a `migrations` directory. */
export interface MigrationFolder {
  /** `home-db/migrations` */
  readonly path: string
  /** Every file but `schema.json`. */
  readonly files: readonly MigrationFile[]
  /** The text of `schema.json`; `undefined` without it. */
  readonly schema: string | undefined
}

/** The name of the file with the schema that migrations lead to. */
export const SCHEMA_FILE = 'schema.json'

/** The last file of a directory, and the state that it leads to. */
interface ChainEnd {
  readonly last: string
  readonly state: string
}

/** Follows the files of a directory. Returns a sentence if they are not a chain. */
export function followChain({ path, files }: MigrationFolder): ChainEnd | string {
  const foreign = files.find(({ name }) => !/^\d{4,}_[^/]+\.sql$/.test(name))
  if (foreign !== undefined)
    return `\`${path}/${foreign.name}\` is not a migration. Migrations have names such as \`0002_add_city.sql\``
  const sorted = files.toSorted((a, b) => migrationNumber(a.name) - migrationNumber(b.name))
  let state = EMPTY_STATE
  let last = ''
  for (const [index, { name, content }] of sorted.entries()) {
    if (conflicts(content)) return conflictProblem(path, name)
    const header = migrationStates(content)
    if (header === undefined) return headerProblem(path, name)
    if (index > 0 && migrationNumber(name) === migrationNumber(last))
      return `\`${last}\` and \`${name}\` in ${path} have the same number. Run \`portico migration rebase <file> --onto <branch>\`, which keeps the numbers of that branch and changes the others`
    if (migrationNumber(name) !== index + 1)
      return `${path} has no migration ${String(index + 1).padStart(4, '0')}. Restore it from version control`
    if (header.from !== state)
      return `\`${path}/${name}\` does not start from the schema that ${last === '' ? 'an empty database has' : `\`${last}\` leads to`}. If it comes from another branch, run \`portico migration rebase <file> --onto <branch>\``
    state = header.to
    last = name
  }
  return last === '' ? `${path} has no migration 0001. Restore it from version control` : { last, state }
}

/** Says that the header of a file does not name states. */
export function headerProblem(path: string, name: string): string {
  return `\`${path}/${name}\` has no line \`-- schema: <state> -> <state>\``
}

/** Says what to do if both branches have a file of the same name, which cannot be renumbered. */
export function conflictProblem(path: string, name: string): string {
  return `\`${path}/${name}\` contains a merge conflict. Restore ${path} from the branch that is deployed, without the files of the other one, then run \`portico generate\``
}

/** Whether version control could not merge a text. */
export function conflicts(text: string): boolean {
  return /^<{7} /m.test(text)
}
