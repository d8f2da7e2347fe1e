import { eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Every } from '../entities.ts'
import { BATCH_BYTES } from '../lists.ts'
import { prepareRows } from '../rows.ts'
import { everyTable } from '../schema.ts'

const columns = {
  id: everyTable.id,
  flag: everyTable.flag,
  anyText: everyTable.anyText,
  boundText: everyTable.boundText,
  exactText: everyTable.exactText,
  lowText: everyTable.lowText,
  anyInt: everyTable.anyInt,
  max: everyTable.max,
  range: everyTable.range,
  one: everyTable.one,
  two: everyTable.two,
  three: everyTable.three,
  four: everyTable.four,
  five: everyTable.five,
  eight: everyTable.eight,
  wide: everyTable.wide,
  anyFloat: everyTable.anyFloat,
  positive: everyTable.positive,
  share: everyTable.share,
  single: everyTable.single,
  day: everyTable.day,
  clock: everyTable.clock,
  moment: everyTable.moment,
  blob: everyTable.blob,
  small: everyTable.small,
}

const row = {
  id: everyTable.id,
  flag: everyTable.flag,
  anyText: sql<string>`${everyTable.anyText}`.as('anyText'),
  boundText: sql<string>`${everyTable.boundText}`.as('boundText'),
  exactText: sql<string>`${everyTable.exactText}`.as('exactText'),
  lowText: sql<string>`${everyTable.lowText}`.as('lowText'),
  anyInt: sql<number>`${everyTable.anyInt}`.as('anyInt'),
  max: everyTable.max,
  range: everyTable.range,
  one: everyTable.one,
  two: everyTable.two,
  three: everyTable.three,
  four: everyTable.four,
  five: sql<number>`${everyTable.five}::double precision`.as('five'),
  eight: sql<number>`${everyTable.eight}::double precision`.as('eight'),
  wide: sql<number>`${everyTable.wide}::double precision`.as('wide'),
  anyFloat: sql<number>`${everyTable.anyFloat}`.as('anyFloat'),
  positive: everyTable.positive,
  share: everyTable.share,
  single: everyTable.single,
  day: everyTable.day,
  clock: everyTable.clock,
  moment: sql<string>`replace(replace(${everyTable.moment}::text, ' ', 'T'), '+00', 'Z')`.as('moment'),
  blob: everyTable.blob,
  small: everyTable.small,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Every; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(everyTable.id, sql.placeholder('id'))
  const behind = gt(everyTable.id, sql.placeholder('after'))
  const changes = {
    flag: given('flag'),
    anyText: given('anyText'),
    boundText: given('boundText'),
    exactText: given('exactText'),
    lowText: given('lowText'),
    anyInt: given('anyInt'),
    max: given('max'),
    range: given('range'),
    one: given('one'),
    two: given('two'),
    three: given('three'),
    four: given('four'),
    five: given('five'),
    eight: given('eight'),
    wide: given('wide'),
    anyFloat: given('anyFloat'),
    positive: given('positive'),
    share: given('share'),
    single: given('single'),
    day: given('day'),
    clock: given('clock'),
    moment: given('moment'),
    blob: given('blob'),
    small: given('small'),
  }
  // Large rows are bounded by their bytes; the first one always comes.
  const batch = drizzle
    .select({
      ...row,
      _bytesBefore: sql`
        sum(octet_length(${everyTable.anyText}) + octet_length(${everyTable.boundText}) + octet_length(${everyTable.exactText}) + octet_length(${everyTable.lowText}) + octet_length(${everyTable.blob}) + octet_length(${everyTable.small}))
        over (order by ${everyTable.id} rows between unbounded preceding and 1 preceding)
      `.as('_bytes_before'),
    })
    .from(everyTable)
    .where(behind)
    .orderBy(everyTable.id)
    .limit(sql.placeholder('limit'))
    .as('batch')

  return {
    find: drizzle.select({ id: everyTable.id }).from(everyTable).where(one).prepare('find'),
    create: drizzle
      .insert(everyTable)
      .values({
        id: given('id'),
        flag: given('flag'),
        anyText: given('anyText'),
        boundText: given('boundText'),
        exactText: given('exactText'),
        lowText: given('lowText'),
        anyInt: given('anyInt'),
        max: given('max'),
        range: given('range'),
        one: given('one'),
        two: given('two'),
        three: given('three'),
        four: given('four'),
        five: given('five'),
        eight: given('eight'),
        wide: given('wide'),
        anyFloat: given('anyFloat'),
        positive: given('positive'),
        share: given('share'),
        single: given('single'),
        day: given('day'),
        clock: given('clock'),
        moment: given('moment'),
        blob: given('blob'),
        small: given('small'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(everyTable).where(one).prepare('read'),
    update: drizzle.update(everyTable).set(changes).where(one).returning(columns).prepare('update'),
    delete: drizzle.delete(everyTable).where(one).returning({ id: everyTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(everyTable)
      .where(behind)
      .orderBy(everyTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Every>(
      drizzle,
      drizzle
        .select({
          id: batch.id,
          flag: batch.flag,
          anyText: batch.anyText,
          boundText: batch.boundText,
          exactText: batch.exactText,
          lowText: batch.lowText,
          anyInt: batch.anyInt,
          max: batch.max,
          range: batch.range,
          one: batch.one,
          two: batch.two,
          three: batch.three,
          four: batch.four,
          five: batch.five,
          eight: batch.eight,
          wide: batch.wide,
          anyFloat: batch.anyFloat,
          positive: batch.positive,
          share: batch.share,
          single: batch.single,
          day: batch.day,
          clock: batch.clock,
          moment: batch.moment,
          blob: batch.blob,
          small: batch.small,
        })
        .from(batch)
        .where(sql`coalesce(${batch._bytesBefore}, 0) < ${BATCH_BYTES}`)
        .orderBy(batch.id),
    ),
    pageEnd: drizzle
      .select({ id: everyTable.id })
      .from(everyTable)
      .where(behind)
      .orderBy(everyTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
