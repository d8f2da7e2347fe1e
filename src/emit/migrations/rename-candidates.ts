import type { Column } from '../database/table.ts'
import { isTimestamp } from '../database/timestamps.ts'
import type { Change } from './change.ts'

/** An attribute that disappears while one of the same type appears in the same table. */
export interface RenameCandidate {
  /** The old attribute as declared: `rate`. */
  readonly oldAttribute: string
  /** The new one, with its entity: `Home.nightlyRate`. */
  readonly entity: string
  readonly attribute: string
}

/** The renames that changes may be, one for each column that disappears at most. */
export function renameCandidates(changes: readonly Change[]): RenameCandidate[] {
  const added = changes.flatMap((change) => change.added ?? []).filter(({ column }) => isAttribute(column))
  return changes.flatMap(({ removed }) => {
    if (removed === undefined || !isAttribute(removed.column)) return []
    const { table, column } = removed
    const index = added.findIndex((each) => each.table === table && each.column.type === column.type)
    const [found] = index === -1 ? [] : added.splice(index, 1)
    if (found?.column.attribute === undefined || column.attribute === undefined) return []
    return [{ oldAttribute: column.attribute, entity: table.entity, attribute: found.column.attribute }]
  })
}

/** Whether a column holds an attribute that the user declared. */
function isAttribute(column: Column): boolean {
  return column.attribute !== undefined && !isTimestamp(column)
}
