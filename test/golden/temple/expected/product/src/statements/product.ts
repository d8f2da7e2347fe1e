import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Product } from '../entities.ts'
import { prepareRows } from '../rows.ts'
import { productTable } from '../schema.ts'

const columns = {
  id: productTable.id,
  title: productTable.title,
  shelf: productTable.shelf,
  price: productTable.price,
}

const row = {
  id: productTable.id,
  title: productTable.title,
  shelf: productTable.shelf,
  price: productTable.price,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Product; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(productTable.id, sql.placeholder('id'))
  const own = eq(productTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(productTable.id, sql.placeholder('after'))
  const changes = {
    title: given('title'),
    shelf: given('shelf'),
    price: given('price'),
  }

  return {
    find: drizzle
      .select({ id: productTable.id, owner: productTable._owner })
      .from(productTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(productTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        title: given('title'),
        shelf: given('shelf'),
        price: given('price'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(productTable).where(one).prepare('read'),
    update: drizzle.update(productTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(productTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(productTable).where(one).returning({ id: productTable.id }).prepare('delete'),
    deleteOwn: drizzle
      .delete(productTable)
      .where(ownOne)
      .returning({ id: productTable.id })
      .prepare('delete'),
    list: drizzle
      .select(columns)
      .from(productTable)
      .where(behind)
      .orderBy(productTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Product>(
      drizzle,
      drizzle
        .select(row)
        .from(productTable)
        .where(behind)
        .orderBy(productTable.id)
        .limit(sql.placeholder('limit')),
    ),
    pageEnd: drizzle
      .select({ id: productTable.id })
      .from(productTable)
      .where(behind)
      .orderBy(productTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
    readable: drizzle
      .select({ id: productTable.id })
      .from(productTable)
      .where(sql`${productTable.id} = any(${sql.placeholder('ids')}::uuid[])`)
      .prepare('readable'),
  }
}
