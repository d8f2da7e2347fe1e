import { storedAttributes } from '../../model/entities.ts'
import type { Attribute } from '../../model/platform.ts'
import type { Statement } from '../database/statements.ts'
import type { GoFile } from './go-file.ts'
import { func, sql } from './layout.ts'
import type { EntityScope, ServiceScope } from './scope.ts'

/** What the functions that emit a file of queries share. */
export interface QueriesScope extends ServiceScope, EntityScope {
  readonly file: GoFile
  readonly platform_: string
  readonly columns: string
}

/** The field of an attribute. */
export const fieldIn =
  ({ names }: EntityScope) =>
  ({ names: { declared } }: Attribute) =>
    names.fields.get(declared) ?? declared

/** Whether statements name the columns with a constant: there are several. */
export const namesColumns = (columns: string): boolean => columns.includes(',')

/** The text of a statement, which names the columns once. gofmt has no spaces around `+` among arguments. */
export function textOf({ names, columns }: QueriesScope, text: string, indent: number, plus = '+'): string {
  const [head = '', ...rest] = namesColumns(columns) ? splitLast(text, columns) : [text]
  const tail = rest.join('')
  const start = sql(head, indent)
  if (rest.length === 0) return start
  return [start, `${names.variable}Columns`, ...(tail === '' ? [] : [sql(tail, indent)])].join(plus)
}

/** Cuts a text at the last occurrence of a part. */
function splitLast(text: string, part: string): string[] {
  const at = text.lastIndexOf(part)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + part.length)]
}

/** `platform.Row(ctx, d.db, scan, statement, values...)` */
export function query(
  scope: QueriesScope,
  kind: 'Row' | 'Rows',
  scan: string,
  statement: Statement,
  value: (parameter: string) => string,
  indent = 1,
): string {
  const values = statement.parameters.map(value)
  const head = `${scope.platform_}.${kind}(ctx, d.db, ${scan}, ${textOf(scope, statement.text, indent)},`
  const flat = `${head} ${values.join(', ')})`
  if (values.length === 0) return `${head.slice(0, -1)})`
  return flat.split('\n').every((line) => line.length < 110) ? flat : `${head}\n\t${values.join(', ')})`
}

/** The expression of a parameter of a statement on one row. `id` etc. are members of `input`. */
export function rowValue(
  scope: QueriesScope,
  access: 'reader' | 'writer',
  isUpdate = false,
): (parameter: string) => string {
  const { entity } = scope
  return (parameter) => {
    if (parameter === 'id') return 'input.ID'
    if (parameter === '_parent') return 'input.ParentID'
    if (parameter === '_owner') return `d.${access}`
    if (parameter === '_versions') return 'versions'
    const keeps = parameter.startsWith('keeps_') ? parameter.slice('keeps_'.length) : undefined
    const attribute = storedAttributes(entity).find(({ names }) => names.declared === (keeps ?? parameter))
    if (attribute === undefined) throw new Error(`Unknown parameter ${parameter}`)
    const field = `input.${fieldIn(scope)(attribute)}`
    if (keeps !== undefined) return `!${field}.IsPresent()`
    return isUpdate && attribute.optional ? `${field}.Value()` : field
  }
}

/** A method of the data access. */
export const method = (
  name: string,
  parameters: readonly string[],
  result: string,
  lines: readonly string[],
) =>
  func({ receiver: 'd Datastore', name, parameters: ['ctx context.Context', ...parameters], result }, lines)
