import type { Column, Table } from '../emit/database/table.ts'
import { backfillSql, expectedBackfill } from '../emit/migrations/backfill.ts'
import {
  type Change,
  directStatements,
  columnLabel,
  REQUIRE_LATER,
  type TableColumn,
} from '../emit/migrations/change.ts'
import { compareSchemas, formerTable } from '../emit/migrations/compare.ts'
import { withFormerColumns } from '../emit/migrations/former-columns.ts'
import type { BackfillOf } from '../emit/migrations/nullability.ts'
import { counted, joined } from '../naming.ts'
import type { ChangedDatabase, SchemaUpdate } from './databases.ts'
import { PlatformError } from './platform-error.ts'
import { type Answers, NO_ANSWERS, type Questions } from './questions.ts'

/** How databases get the schemas of a definition. */
export interface SchemaUpdatePlan {
  readonly updates: readonly SchemaUpdate[]
  /** What the user should do afterwards, as sentences. */
  readonly notices: readonly string[]
}

/** The tables of a database before and after a change. */
interface Tables {
  readonly before: readonly Table[]
  readonly after: readonly Table[]
  /** The number of rows of a table, by its name after the change. */
  readonly rowsOf: (table: string) => number
}

/** What answers questions. */
interface Asking {
  readonly terminal: Questions | undefined
  readonly answers: Answers
  /** The questions that nothing has answered. */
  readonly open: OpenQuestion[]
}

interface OpenQuestion {
  readonly message: string
  /** What answers it without a terminal. */
  readonly help: string
}

const FRESH = 'run with `--fresh` to delete all data'

/**
 * Plans the schema updates of databases. Asks what only the user knows, and before it deletes data. Throws PlatformError
 * if data would be lost without a yes, if a change needs the user's own SQL, if a value of the command line is wrong,
 * and if it has to ask without a terminal.
 */
export async function planSchemaUpdates(
  databases: readonly ChangedDatabase[],
  terminal: Questions | undefined,
  answers: Answers = NO_ANSWERS,
): Promise<SchemaUpdatePlan> {
  const open: OpenQuestion[] = []
  const asking: Asking = { terminal, answers, open }
  const updates: SchemaUpdate[] = []
  const notices: string[] = []
  for (const database of databases) updates.push(await planSchemaUpdate(database, asking, notices))
  if (open.length > 0)
    throw new PlatformError(
      [
        'The changed definition needs answers:',
        ...open.flatMap(({ message, help }) => [`  ${message}`, `    ${help}`]),
      ].join('\n'),
      `run \`portico dev\` on a terminal, which asks, or ${FRESH}`,
      'usage',
    )
  return { updates, notices }
}

async function planSchemaUpdate(
  { schema, pending, files, tables: before, rows, nulls }: ChangedDatabase,
  asking: Asking,
  notices: string[],
): Promise<SchemaUpdate> {
  const amounts = new Map(
    schema.tables.map((table) => [table.name, rows.get(formerTable(table, before)?.name ?? '') ?? 0]),
  )
  const rowsOf = (table: string): number => amounts.get(table) ?? 0
  const after: Table[] = []
  for (const table of schema.tables) {
    const former = formerTable(table, before)
    if (rowsOf(table.name) === 0) after.push(withoutRenames(table))
    else
      after.push(
        former === undefined
          ? table
          : await askForRenames(withFormerColumns(table, former), former, asking, notices),
      )
  }
  const tables: Tables = { before, after, rowsOf }
  const given = givenValues(asking.answers)
  const changes = compareSchemas(before, after, given)
  rejectManualChanges(changes, tables)
  const values = new Map<string, string>()
  const ask = async ({ table, column }: TableColumn, where: string): Promise<void> => {
    const attribute = columnLabel(table, column)
    values.set(attribute, await askForValue(attribute, column, where, asking))
  }
  for (const each of changes.flatMap(({ missing = [] }) => missing))
    if (rowsOf(each.table.name) > 0) await ask(each, existingRows(rowsOf(each.table.name)))
  for (const each of changes.flatMap(({ required = [] }) => required)) {
    const amount = nullsOf(each, before, nulls)
    const where = amount === 1 ? 'the row without one' : `the ${amount} rows without one`
    if (amount > 0) await ask(each, where)
  }
  await confirmLosses(changes, tables, rows, asking)
  if (pending !== undefined) notices.push(...pending.own.map(({ name }) => `Applied ${pending.path}/${name}`))
  return {
    schema,
    pending,
    files,
    statements: directStatements(
      compareSchemas(before, after, (attribute, column) => values.get(attribute) ?? given(attribute, column)),
    ),
    emptyTables: before.filter(({ name }) => rows.get(name) === 0).map(({ name }) => name),
  }
}

/** The values of the command line as SQL. */
function givenValues({ backfills }: Answers): BackfillOf {
  return (attribute, column) => {
    const answer = backfills.get(attribute)
    if (answer === undefined) return undefined
    const result = backfillSql(column, answer)
    if ('sql' in result) return result.sql
    throw new PlatformError(
      `Invalid value \`${attribute}=${answer}\` for \`--backfill\``,
      `use ${expectedBackfill(column)}`,
      'usage',
    )
  }
}

/** In an empty table a renamed column can as well be a new one, of any type. */
function withoutRenames(table: Table): Table {
  return { ...table, columns: table.columns.map((column) => ({ ...column, was: undefined })) }
}

/** Asks whether new attributes have the values of removed ones of the same type. */
async function askForRenames(table: Table, former: Table, asking: Asking, notices: string[]): Promise<Table> {
  const names = new Set(table.columns.flatMap(({ name, was }) => [name, was]))
  let removed = former.columns.filter(({ attribute, name }) => attribute !== undefined && !names.has(name))
  const isNew = ({ attribute, name, was }: Column): boolean =>
    attribute !== undefined && was === undefined && former.columns.every((column) => column.name !== name)
  const columns: Column[] = []
  for (const column of table.columns) {
    const candidates = isNew(column)
      ? removed.filter(
          (each) => each.type === column.type && !asking.answers.notRenamed.has(columnLabel(table, each)),
        )
      : []
    const from = await askForOldName(table, column, candidates, asking)
    removed = removed.filter((each) => each !== from)
    columns.push(from === undefined ? column : { ...column, was: from.name })
    if (from !== undefined)
      notices.push(
        `Add \`@was(${from.attribute})\` to \`${column.attribute}\` in \`${table.entity}\`, so that other databases rename the column too.`,
      )
  }
  return { ...table, columns }
}

async function askForOldName(
  table: Table,
  column: Column,
  candidates: readonly Column[],
  { terminal, open }: Asking,
): Promise<Column | undefined> {
  const [first] = candidates
  if (first === undefined) return undefined
  const message = `What is \`${columnLabel(table, column)}\`?`
  const choices = [
    ...candidates.map(({ name, attribute }) => ({ value: name, name: `The new name of \`${attribute}\`` })),
    { value: '', name: 'A new attribute' },
  ]
  if (terminal === undefined) {
    const names = candidates.map((each) => columnLabel(table, each)).join(',')
    open.push({
      message: `${message} ${choices.map(({ name }) => name).join(' / ')}`,
      help: `write \`@was(${first.attribute})\` after its type, or pass \`--not-renamed ${names} --allow-data-loss ${names}\``,
    })
    return first
  }
  const answer = await terminal.choose({ message, choices })
  return candidates.find(({ name }) => name === answer)
}

/** Rejects changes of existing rows that need SQL. The statements convert values, or fail if one cannot be kept. */
function rejectManualChanges(changes: readonly Change[], { rowsOf }: Tables): void {
  const sentences = changes.flatMap(({ expression }) => {
    if (expression === undefined || expression.converts) return []
    const { table, column } = expression
    const rows = rowsOf(table.name)
    if (rows === 0) return []
    return [
      `\`${columnLabel(table, column)}\` needs a value of its own in ${rows === 1 ? '' : 'each of '}${existingRows(rows)}`,
    ]
  })
  const [first, ...rest] = [...sentences, ...changes.flatMap(({ problem = [] }) => problem)]
  if (first === undefined) return
  const help = `undo the change, or ${FRESH}`
  throw new PlatformError(
    [first, ...rest].join('\n'),
    sentences.length === 0
      ? help
      : `${REQUIRE_LATER}, or ${FRESH}. For deployed databases, \`portico generate\` writes a migration with a place for your SQL`,
    'usage',
  )
}

/** The number of rows without a value in a column, which may have had another name. */
function nullsOf(
  { table, column: { name, was } }: TableColumn,
  before: readonly Table[],
  nulls: ReadonlyMap<string, number>,
): number {
  const former = formerTable(table, before)?.name
  return nulls.get(`${former}.${name}`) ?? nulls.get(`${former}.${was}`) ?? 0
}

async function askForValue(
  attribute: string,
  column: Column,
  where: string,
  { terminal, open }: Asking,
): Promise<string> {
  const sqlOf = (answer: string) => backfillSql(column, answer)
  const message = `Value of \`${attribute}\` in ${where} (${expectedBackfill(column)})`
  if (terminal === undefined) {
    open.push({ message, help: `pass \`--backfill ${attribute}=<value>\`` })
    return 'NULL'
  }
  const answer = await terminal.text({
    message,
    check: (text) => {
      const result = sqlOf(text)
      return 'sql' in result ? true : result.problem
    },
  })
  const result = sqlOf(answer)
  return 'sql' in result ? result.sql : 'NULL'
}

/** Asks before rows or values are deleted. */
async function confirmLosses(
  changes: readonly Change[],
  { before, after, rowsOf }: Tables,
  rows: ReadonlyMap<string, number>,
  { terminal, answers, open }: Asking,
): Promise<void> {
  const renames = changes.flatMap((change) => change.renames ?? [])
  const losses = changes.flatMap((change) => change.losses ?? [])
  const refused = losses.filter((label) => answers.allowDataLoss?.has(label) !== true)
  const parts = refused.flatMap((label) => {
    const removed = before.find(({ entity }) => entity === label)
    if (removed !== undefined) {
      const amount = rows.get(removed.name) ?? 0
      return amount === 0 ? [] : [`${amount === 1 ? 'the 1 row' : `all ${amount} rows`} of \`${label}\``]
    }
    const entity = label.slice(0, label.lastIndexOf('.'))
    const amount = rowsOf(after.find((table) => table.entity === entity)?.name ?? '')
    return amount === 0 ? [] : [`\`${label}\` in ${counted(amount, 'row')}`]
  })
  if (parts.length === 0) return
  const message = `Delete ${joined(parts, 'and')}? This cannot be undone`
  if (terminal === undefined || answers.allowDataLoss?.size === 0) {
    const option = `pass \`--allow-data-loss ${losses.join(',')}\``
    return void open.push({ message, help: [...renames, option].join(', or ') })
  }
  if (await terminal.confirm({ message })) return
  const options = [...renames, 'undo the change in the definition']
  throw new PlatformError('Nothing was deleted', `${options.join(', ')}, or ${FRESH}`, 'usage')
}

function existingRows(amount: number): string {
  return amount === 1 ? 'the existing row' : `the ${amount} existing rows`
}
