import { identifier } from '../database/identifiers.ts'
import { addConstraint } from '../database/sql.ts'
import type { Constraint, Table } from '../database/table.ts'
import {
  alterTable,
  type Change,
  dropConstraintOf,
  lockOf,
  type MigrationStep,
  type Phase,
  validateConstraint,
} from './change.ts'
import { guard } from './guards.ts'
import { buildIndex } from './indexes.ts'

/** Adds a constraint to columns that have their default or no value in every row. */
export function addToNewColumns(table: Table, each: Constraint): Change {
  return {
    expand: addInUse(table, each, 'start'),
    direct: { start: [{ sql: addConstraint(table.name, each) }] },
  }
}

/** Adds a constraint to columns whose values are written in the same transaction. */
export function addToWrittenColumns(table: Table, each: Constraint): Change {
  return { expand: { start: [guard(table.name, each), { sql: addConstraint(table.name, each) }] } }
}

/** Adds the key over the id, which is unique anyway: entries become the target of references. */
export function addToId(table: Table, each: Constraint): Change {
  const step = {
    sql: addConstraint(table.name, each),
    description: `Allows references to rows of ${table.name}.`,
    lock: lockOf(table, 'writes', 'while an index is built'),
  }
  return { slug: slugOf(table, each), expand: { start: [step] } }
}

/**
 * Adds the rule that columns had under their old names, where it holds until the contract phase. `update` renames their
 * values.
 */
export function addToRenamedColumns(
  table: Table,
  each: Constraint,
  was: Constraint,
  update: readonly MigrationStep[] = [],
): Change {
  const drop = dropConstraintOf(table, was)
  return {
    // The values are copied before.
    expand: addInUse(table, each, 'end'),
    contract: each.kind === 'fkey' ? { start: [drop] } : {},
    direct: { start: [drop, ...update, { sql: addConstraint(table.name, each) }] },
  }
}

/**
 * Adds a constraint to existing columns, or to some of them and new ones. `former` looks at the rows before the new code
 * starts, and `isLate` if the table lacks a column before the other steps.
 */
export function addToExistingColumns(
  table: Table,
  each: Constraint,
  { former, isLate }: { readonly former: MigrationStep; readonly isLate: boolean },
): Change {
  const guards = [guard(table.name, each)]
  const lock = lockOf(table, 'reads and writes', 'while its references are checked')
  // The table that a foreign key refers to may be new.
  const before =
    each.kind === 'fkey' ? { start: [{ ...former, lock }] } : { [isLate ? 'start' : 'guards']: [former] }
  return {
    slug: slugOf(table, each),
    expand: before,
    contract: {
      guards,
      ...addInUse(table, each, 'start', `Restricts ${each.columns.join(', ')} of ${table.name}.`),
    },
    direct: { start: [...guards, { sql: addConstraint(table.name, each) }] },
  }
}

function slugOf(table: Table, { columns }: Constraint): string {
  return `restrict_${columns.join('_and_')}_of_${table.name}`
}

/**
 * Adds a constraint so that reads and writes continue, if its kind allows that. `keys`: when a key is added whose index
 * needs a lock. `description`: of a constraint that needs no index.
 */
function addInUse(table: Table, each: Constraint, keys: 'start' | 'end', description?: string): Phase {
  const name = identifier(each.name)
  if (each.kind !== 'key')
    return {
      start: [{ sql: addConstraint(table.name, each, ' NOT VALID'), description }],
      validate: [validateConstraint(table, each)],
    }
  const makesUnique = `Makes ${each.columns.join(', ')} of ${table.name} unique.`
  const lock = lockOf(table, 'writes', 'while an index is built')
  if (each.isHashed)
    return { [keys]: [{ sql: addConstraint(table.name, each), description: makesUnique, lock }] }
  const index = { name: each.name, unique: true, keys: each.columns.map((column) => ({ column })) }
  return {
    outside: [buildIndex(table, index)],
    end: [alterTable(table, `ADD CONSTRAINT ${name} UNIQUE USING INDEX ${name}`, makesUnique)],
  }
}
