import type { MigrationFile } from '../../migration/migration-file.ts'
import { databaseStates } from '../../migration/states.ts'
import { comment } from '../database/identifiers.ts'
import { type Change, lockOf, type MigrationStep, type Phase } from './change.ts'

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

/** The files of changes, in their order: one for each transaction. */
export function migrationFiles(
  changes: readonly Change[],
  { number, state, service, hash }: ChangeStart,
): MigrationFile[] {
  const contract = parts(changes, 'contract')
  const found = parts(changes, 'expand')
  const nothing: MigrationStep = {
    sql: '',
    description: 'Changes nothing: the whole change waits until the previous code has stopped.',
  }
  const expand = found.length > 0 ? found : [{ steps: [nothing], isTransaction: true, isContract: false }]
  const states = databaseStates(hash, {
    expand: expand.length,
    contract: contract.length,
    compatible: !changes.some(({ isBreaking }) => isBreaking),
  })
  const [slug, ...slugs] = new Set(changes.flatMap((change) => change.slug ?? []))
  const name =
    slug === undefined || slugs.length > 0 ? `change_${service.replaceAll('-', '_')}` : slug.slice(0, 80)
  return [...expand, ...contract].map((part, index) => {
    const suffix = contract.length === 0 ? '' : part.isContract ? '.contract' : '.expand'
    const from = index === 0 ? state : (states[index - 1] ?? '')
    return {
      name: `${String(number + index).padStart(4, '0')}_${name}${suffix}.sql`,
      content: migrationText(part, from, states[index] ?? ''),
      locks: tableLocks(part.steps),
    }
  })
}

function parts(changes: readonly Change[], phase: 'expand' | 'contract'): Part[] {
  const all = (list: keyof Phase): MigrationStep[] => changes.flatMap((change) => change[phase]?.[list] ?? [])
  const isContract = phase === 'contract'
  const transactions = [[...all('guards'), ...all('start'), ...all('drops')], all('validate'), all('end')]
  const [first = [], ...others] = transactions.map((steps) =>
    steps.length === 0 ? [] : [{ steps, isTransaction: true, isContract }],
  )
  const outside = all('outside').map((step) => ({ steps: [step], isTransaction: false, isContract }))
  return [...first, ...outside, ...others.flat()]
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
  const locks = steps.flatMap(({ lock }) => lock ?? [])
  const altered = new Set<string>()
  for (const { reads, alters } of steps) {
    if (reads !== undefined && altered.has(reads)) {
      const isKnown = locks.some(({ table, blocks }) => table === reads && blocks === 'reads and writes')
      if (!isKnown) locks.push(lockOf({ name: reads }, 'reads and writes', 'while its rows are checked'))
    }
    if (alters !== undefined) altered.add(alters)
  }
  return unique(
    locks.map(
      ({ table, blocks, time, duration }) => `Locks ${table} against ${blocks} ${time}: ${duration}.`,
    ),
  )
}

function unique(texts: readonly (string | undefined)[]): string[] {
  return [...new Set(texts.filter((text) => text !== undefined))]
}
