import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { TLSCert } from '../entities.ts'
import { prepareRows } from '../rows.ts'
import { httpProxy2Table, tlsCertTable } from '../schema.ts'

const columns = {
  id: tlsCertTable.id,
  parentId: tlsCertTable._parent,
  sha256Sum: tlsCertTable.sha256Sum,
  notAfter: tlsCertTable.notAfter,
}

const row = {
  id: tlsCertTable.id,
  parentId: sql<string>`${tlsCertTable._parent}`.as('parentId'),
  sha256Sum: sql<Uint8Array>`${tlsCertTable.sha256Sum}`.as('sha256Sum'),
  notAfter: sql<string>`replace(replace(${tlsCertTable.notAfter}::text, ' ', 'T'), '+00', 'Z')`.as(
    'notAfter',
  ),
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on TLSCert; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const parent = eq(httpProxy2Table.id, sql.placeholder('_parent'))
  const inParent = eq(tlsCertTable._parent, sql.placeholder('_parent'))
  const one = and(eq(tlsCertTable.id, sql.placeholder('id')), inParent)
  const behind = and(gt(tlsCertTable.id, sql.placeholder('after')), inParent)
  const entry = {
    id: sql<string>`${given('id')}::uuid`.as('id'),
    _parent: httpProxy2Table.id,
    sha256Sum: sql<Uint8Array>`${given('sha256Sum')}::bytea`.as('sha256_sum'),
    notAfter: sql<string>`${given('notAfter')}::timestamptz`.as('not_after'),
  }
  const changes = {
    sha256Sum: given('sha256Sum'),
    notAfter: given('notAfter'),
  }

  return {
    create: drizzle
      .insert(tlsCertTable)
      .select(drizzle.select(entry).from(httpProxy2Table).where(parent))
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(tlsCertTable).where(one).prepare('read'),
    update: drizzle.update(tlsCertTable).set(changes).where(one).returning(columns).prepare('update'),
    delete: drizzle.delete(tlsCertTable).where(one).returning({ id: tlsCertTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(tlsCertTable)
      .where(behind)
      .orderBy(tlsCertTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<TLSCert>(
      drizzle,
      drizzle
        .select(row)
        .from(tlsCertTable)
        .where(behind)
        .orderBy(tlsCertTable.id)
        .limit(sql.placeholder('limit')),
    ),
    pageEnd: drizzle
      .select({ id: tlsCertTable.id })
      .from(tlsCertTable)
      .where(behind)
      .orderBy(tlsCertTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
