import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { purchaseTable } from '../schema.ts'

const columns = {
  id: purchaseTable.id,
  product: purchaseTable.product,
  when: purchaseTable.when,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Purchase; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(purchaseTable.id, sql.placeholder('id'))
  const own = eq(purchaseTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(purchaseTable.id, sql.placeholder('after'))
  const changes = {
    product: given('product'),
    when: given('when'),
  }

  return {
    find: drizzle
      .select({ id: purchaseTable.id, owner: purchaseTable._owner })
      .from(purchaseTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(purchaseTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        product: given('product'),
        when: given('when'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(purchaseTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(purchaseTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(purchaseTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(purchaseTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(purchaseTable).where(one).returning({ id: purchaseTable.id }).prepare('delete'),
    deleteOwn: drizzle
      .delete(purchaseTable)
      .where(ownOne)
      .returning({ id: purchaseTable.id })
      .prepare('delete'),
    list: drizzle
      .select(columns)
      .from(purchaseTable)
      .where(behind)
      .orderBy(purchaseTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
