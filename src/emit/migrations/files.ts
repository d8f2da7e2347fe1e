import { comment, identifier } from '../database/identifiers.ts'
import type { MigrationFile } from '../../migration/migration-file.ts'
import { databaseStates } from '../../migration/states.ts'
import { INDEX_DURATION } from './added-constraints.ts'
import type { Phase, SchemaChange, MigrationStep } from './steps.ts'

/** Where a change starts. */
interface ChangeStart {
  /** The number of the first file. */
  readonly number: number
  /** The state of the last file. */
  readonly state: string
  /** Name of the service in kebab-case, for the name of a change with several parts. */
  readonly service: string
  /** The hash of the schema that the change leads to. */
  readonly hash: string
}

interface Part {
  readonly steps: readonly MigrationStep[]
  readonly isTransaction: boolean
  readonly isContract: boolean
}

/** The files of a change, in their order: one for each transaction. */
export function migrationFiles(
  change: SchemaChange,
  { number, state, service, hash }: ChangeStart,
): MigrationFile[] {
  const contract = parts(change.contract, true)
  const found = parts(change.expand, false)
  const nothing: MigrationStep = {
    sql: '',
    description: 'Changes nothing: the whole change waits until the previous code has stopped.',
  }
  const expand = found.length > 0 ? found : [{ steps: [nothing], isTransaction: true, isContract: false }]
  const states = databaseStates(hash, {
    expand: expand.length,
    contract: contract.length,
    compatible: change.compatible,
  })
  const slugs = [...new Set(change.slugs)]
  const slug =
    slugs.length === 1 && slugs[0] !== undefined ? slugs[0] : `change_${service.replaceAll('-', '_')}`
  return [...expand, ...contract].map((part, index) => {
    const suffix = contract.length === 0 ? '' : part.isContract ? '.contract' : '.expand'
    const from = index === 0 ? state : (states[index - 1] ?? '')
    return {
      name: `${String(number + index).padStart(4, '0')}_${slug.slice(0, 80)}${suffix}.sql`,
      content: migrationText(part, from, states[index] ?? ''),
      locks: tableLocks(part.steps),
    }
  })
}

function parts({ guards, start, outside, validate, end }: Phase, isContract: boolean): Part[] {
  const transactions = (steps: readonly MigrationStep[]): Part[] =>
    steps.length === 0 ? [] : [{ steps, isTransaction: true, isContract }]
  return [
    ...transactions([...guards, ...start]),
    ...outside.map((step) => ({ steps: [step], isTransaction: false, isContract })),
    ...transactions(validate),
    ...transactions(end),
  ]
}

function migrationText({ steps, isTransaction, isContract }: Part, from: string, to: string): string {
  const descriptions = unique(steps.map((step) => step.description))
  const lockNotes = unique([...tableLocks(steps), ...steps.map(({ lockNote }) => lockNote)])
  const dataLossNotes = unique(steps.map((step) => step.dataLossNote))
  const hasStatements = steps.some(({ sql }) => sql !== '')
  const header = [
    ...descriptions,
    ...(lockNotes.length === 0 && hasStatements && isTransaction
      ? ['Holds locks that block reads and writes only for a moment.']
      : lockNotes),
    ...(dataLossNotes.length === 0 ? ['Loses nothing.'] : dataLossNotes),
    ...(isContract ? ['The previous code does not work after this file.'] : []),
    `schema: ${from} -> ${to}`,
    ...(isTransaction ? [] : ['no transaction']),
  ]
  const statements = steps.map(({ sql }) => sql).filter((sql) => sql !== '')
  return [header.map(comment).join('\n'), ...statements].map((text) => `${text}\n`).join('\n')
}

/** The locks on whole tables that last longer than a moment, also because rows are read while a table is locked. */
function tableLocks(steps: readonly MigrationStep[]): string[] {
  const locks = unique(steps.map(({ tableLock }) => tableLock))
  const readLocked = steps.flatMap(({ reads }, index) => {
    if (reads === undefined) return []
    const lock = `Locks ${reads} against reads and writes`
    const isLocked = steps
      .slice(0, index)
      .some(({ sql }) => sql.includes(`ALTER TABLE ${identifier(reads)} `))
    return isLocked && !locks.some((each) => each.startsWith(`${lock} `))
      ? [`${lock} while its rows are checked: ${INDEX_DURATION}.`]
      : []
  })
  return unique([...locks, ...readLocked])
}

function unique(texts: readonly (string | undefined)[]): string[] {
  return [...new Set(texts.filter((text) => text !== undefined))]
}
