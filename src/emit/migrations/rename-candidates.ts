import type { Column, Table } from '../database/table.ts'
import { isTimestamp } from '../database/timestamps.ts'
import { withFormerColumns } from './former-columns.ts'
import { formerTable } from './schema-change.ts'

/** An attribute that disappears while one of the same type appears in the same table. */
export interface RenameCandidate {
  /** The old attribute as declared: `rate`. */
  readonly oldAttribute: string
  /** The new one, with its entity: `Home.nightlyRate`. */
  readonly entity: string
  readonly attribute: string
}

/** The renames that a change may be, one for each column that disappears at most. */
export function renameCandidates(before: readonly Table[], after: readonly Table[]): RenameCandidate[] {
  return after.flatMap((current) => {
    const old = formerTable(current, before)
    if (old === undefined) return []
    const table = withFormerColumns(current, old)
    const names = new Set(table.columns.map(({ name }) => name))
    const oldNames = new Set(old.columns.map(({ name }) => name))
    const taken = new Set(table.columns.map(({ was }) => was))
    const removed = old.columns.filter(
      (column) => isAttribute(column) && !names.has(column.name) && !taken.has(column.name),
    )
    const added = table.columns.filter(
      (column) => isAttribute(column) && !oldNames.has(column.name) && column.was === undefined,
    )
    return removed.flatMap((column): RenameCandidate[] => {
      const index = added.findIndex(({ type }) => type === column.type)
      const [found] = index === -1 ? [] : added.splice(index, 1)
      if (found?.attribute === undefined || column.attribute === undefined) return []
      return [
        {
          oldAttribute: column.attribute,
          entity: table.entity,
          attribute: found.attribute,
        },
      ]
    })
  })
}

/** Whether a column holds an attribute that the user declared. */
function isAttribute(column: Column): boolean {
  return column.attribute !== undefined && !isTimestamp(column)
}
