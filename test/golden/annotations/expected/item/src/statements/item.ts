import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import { itemTable } from '../schema.ts'

const columns = {
  id: itemTable.id,
  label: itemTable.label,
  number: itemTable.number,
  weight: itemTable.weight,
  day: itemTable.day,
  picture: itemTable.picture,
  keeper: itemTable.keeper,
  serial: itemTable.serial,
  at: itemTable.at,
  counted: itemTable.counted,
  checked: itemTable.checked,
  holder: itemTable.holder,
  pinHash: itemTable.pinHash,
  opensAt: itemTable.opensAt,
  bought: itemTable.bought,
  price: itemTable.price,
  digest: itemTable.digest,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Item; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(itemTable.id, sql.placeholder('id'))
  const own = eq(itemTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(itemTable.id, sql.placeholder('after'))
  const changes = {
    label: given('label'),
    number: given('number'),
    weight: given('weight'),
    day: given('day'),
    picture: given('picture'),
    keeper: given('keeper'),
    serial: sql`coalesce(${given('serial')}, ${itemTable.serial})`,
    at: sql`coalesce(${given('at')}, ${itemTable.at})`,
    counted: sql`coalesce(${given('counted')}, ${itemTable.counted})`,
    checked: sql`coalesce(${given('checked')}, ${itemTable.checked})`,
    holder: sql`coalesce(${given('holder')}, ${itemTable.holder})`,
    pinHash: sql`coalesce(${given('pinHash')}, ${itemTable.pinHash})`,
    opensAt: sql`coalesce(${given('opensAt')}, ${itemTable.opensAt})`,
    bought: sql`coalesce(${given('bought')}, ${itemTable.bought})`,
    price: sql`coalesce(${given('price')}, ${itemTable.price})`,
    digest: sql`coalesce(${given('digest')}, ${itemTable.digest})`,
  }

  return {
    find: drizzle
      .select({ id: itemTable.id, owner: itemTable._owner })
      .from(itemTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(itemTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        label: given('label'),
        number: given('number'),
        weight: given('weight'),
        day: given('day'),
        picture: given('picture'),
        keeper: given('keeper'),
        serial: given('serial'),
        at: given('at'),
        counted: given('counted'),
        checked: given('checked'),
        holder: given('holder'),
        pinHash: given('pinHash'),
        opensAt: given('opensAt'),
        bought: given('bought'),
        price: given('price'),
        digest: given('digest'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(itemTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(itemTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(itemTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(itemTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(itemTable).where(one).returning({ id: itemTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(itemTable).where(ownOne).returning({ id: itemTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(itemTable)
      .where(behind)
      .orderBy(itemTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
  }
}
