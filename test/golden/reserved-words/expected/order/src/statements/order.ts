import { and, eq, gt, sql } from 'drizzle-orm'
import type { Drizzle } from '../database.ts'
import type { Order } from '../entities.ts'
import { BATCH_BYTES } from '../lists.ts'
import { prepareRows } from '../rows.ts'
import { orderTable } from '../schema.ts'

const columns = {
  id: orderTable.id,
  select: orderTable.select,
  from: orderTable.from,
  where: orderTable.where,
  table: orderTable.table,
  user: orderTable.user,
  primary: orderTable.primary,
  constraint: orderTable.constraint,
  references: orderTable.references,
  class: orderTable.class,
  delete: orderTable.delete,
  function: orderTable.function,
  await: orderTable.await,
  default: orderTable.default,
  enum: orderTable.enum,
  interface: orderTable.interface,
  constructor: orderTable.constructor_,
  prototype: orderTable.prototype,
  hasOwnProperty: orderTable.hasOwnProperty_,
  toString: orderTable.toString_,
  valueOf: orderTable.valueOf_,
  toJSON: orderTable.toJSON,
  then: orderTable.then,
  owner: orderTable.owner,
  parent: orderTable.parent,
  input: orderTable.input,
  request: orderTable.request,
  env: orderTable.env,
  caller: orderTable.caller,
  string: orderTable.string,
  int: orderTable.int,
  project: orderTable.project,
  service: orderTable.service,
  struct: orderTable.struct,
  error: orderTable.error,
  limit: orderTable.limit,
  after: orderTable.after,
}

const row = {
  id: orderTable.id,
  select: orderTable.select,
  from: orderTable.from,
  where: orderTable.where,
  table: orderTable.table,
  user: orderTable.user,
  primary: orderTable.primary,
  constraint: orderTable.constraint,
  references: orderTable.references,
  class: orderTable.class,
  delete: orderTable.delete,
  function: orderTable.function,
  await: orderTable.await,
  default: orderTable.default,
  enum: orderTable.enum,
  interface: orderTable.interface,
  constructor: orderTable.constructor_,
  prototype: orderTable.prototype,
  hasOwnProperty: sql<string>`${orderTable.hasOwnProperty_}`.as('hasOwnProperty'),
  toString: sql<string>`${orderTable.toString_}`.as('toString'),
  valueOf: sql<string>`${orderTable.valueOf_}`.as('valueOf'),
  toJSON: sql<string>`${orderTable.toJSON}`.as('toJSON'),
  then: orderTable.then,
  owner: orderTable.owner,
  parent: orderTable.parent,
  input: orderTable.input,
  request: orderTable.request,
  env: orderTable.env,
  caller: orderTable.caller,
  string: orderTable.string,
  int: orderTable.int,
  project: orderTable.project,
  service: orderTable.service,
  struct: orderTable.struct,
  error: orderTable.error,
  limit: orderTable.limit,
  after: orderTable.after,
}

/** A value that is given when the statement runs. */
const given = (name: string) => sql`${sql.placeholder(name)}`

/** The statements on Order; each connection prepares those that it runs. */
export function prepare(drizzle: Drizzle) {
  const one = eq(orderTable.id, sql.placeholder('id'))
  const own = eq(orderTable._owner, sql.placeholder('_caller'))
  const ownOne = and(one, own)
  const behind = gt(orderTable.id, sql.placeholder('after'))
  const ownBehind = and(behind, own)
  const changes = {
    select: given('select'),
    from: given('from'),
    where: given('where'),
    table: given('table'),
    user: given('user'),
    primary: given('primary'),
    constraint: given('constraint'),
    references: given('references'),
    class: given('class'),
    delete: given('delete'),
    function: sql`coalesce(${given('function')}, ${orderTable.function})`,
    await: given('await'),
    default: sql`coalesce(${given('default')}, ${orderTable.default})`,
    enum: given('enum'),
    interface: given('interface'),
    constructor_: given('constructor'),
    prototype: given('prototype'),
    hasOwnProperty_: given('hasOwnProperty'),
    toString_: given('toString'),
    valueOf_: given('valueOf'),
    toJSON: given('toJSON'),
    then: given('then'),
    owner: given('owner'),
    parent: given('parent'),
    input: given('input'),
    request: given('request'),
    env: given('env'),
    caller: given('caller'),
    string: given('string'),
    int: given('int'),
    project: given('project'),
    service: given('service'),
    struct: given('struct'),
    error: given('error'),
    limit: given('limit'),
    after: given('after'),
  }
  // Large rows are bounded by their bytes; the first one always comes.
  const batch = drizzle
    .select({
      ...row,
      _bytesBefore: sql`
        sum(octet_length(${orderTable.select}) + octet_length(${orderTable.table}) + octet_length(${orderTable.class}) + octet_length(${orderTable.delete}) + octet_length(${orderTable.function}) + octet_length(${orderTable.await}) + octet_length(${orderTable.default}) + octet_length(${orderTable.enum}) + octet_length(${orderTable.interface}) + octet_length(${orderTable.constructor_}) + octet_length(${orderTable.prototype}) + octet_length(${orderTable.hasOwnProperty_}) + octet_length(${orderTable.toString_}) + octet_length(${orderTable.valueOf_}) + octet_length(${orderTable.toJSON}) + octet_length(${orderTable.then}) + octet_length(${orderTable.owner}) + octet_length(${orderTable.parent}) + octet_length(${orderTable.input}) + octet_length(${orderTable.request}) + octet_length(${orderTable.env}) + octet_length(${orderTable.caller}) + octet_length(${orderTable.string}) + octet_length(${orderTable.project}) + octet_length(${orderTable.service}) + octet_length(${orderTable.struct}) + octet_length(${orderTable.error}) + octet_length(${orderTable.after}))
        over (order by ${orderTable.id} rows between unbounded preceding and 1 preceding)
      `.as('_bytes_before'),
    })
    .from(orderTable)
    .where(ownBehind)
    .orderBy(orderTable.id)
    .limit(sql.placeholder('limit'))
    .as('batch')

  return {
    find: drizzle
      .select({ id: orderTable.id, owner: orderTable._owner })
      .from(orderTable)
      .where(one)
      .prepare('find'),
    create: drizzle
      .insert(orderTable)
      .values({
        id: given('id'),
        _owner: given('_caller'),
        select: given('select'),
        from: given('from'),
        where: given('where'),
        table: given('table'),
        user: given('user'),
        primary: given('primary'),
        constraint: given('constraint'),
        references: given('references'),
        class: given('class'),
        delete: given('delete'),
        function: given('function'),
        await: given('await'),
        default: given('default'),
        enum: given('enum'),
        interface: given('interface'),
        constructor_: given('constructor'),
        prototype: given('prototype'),
        hasOwnProperty_: given('hasOwnProperty'),
        toString_: given('toString'),
        valueOf_: given('valueOf'),
        toJSON: given('toJSON'),
        then: given('then'),
        owner: given('owner'),
        parent: given('parent'),
        input: given('input'),
        request: given('request'),
        env: given('env'),
        caller: given('caller'),
        string: given('string'),
        int: given('int'),
        project: given('project'),
        service: given('service'),
        struct: given('struct'),
        error: given('error'),
        limit: given('limit'),
        after: given('after'),
      })
      .returning(columns)
      .prepare('create'),
    read: drizzle.select(columns).from(orderTable).where(one).prepare('read'),
    readOwn: drizzle.select(columns).from(orderTable).where(ownOne).prepare('read_own'),
    update: drizzle.update(orderTable).set(changes).where(one).returning(columns).prepare('update'),
    updateOwn: drizzle.update(orderTable).set(changes).where(ownOne).returning(columns).prepare('update'),
    delete: drizzle.delete(orderTable).where(one).returning({ id: orderTable.id }).prepare('delete'),
    deleteOwn: drizzle.delete(orderTable).where(ownOne).returning({ id: orderTable.id }).prepare('delete'),
    list: drizzle
      .select(columns)
      .from(orderTable)
      .where(behind)
      .orderBy(orderTable.id)
      .limit(sql.placeholder('limit'))
      .prepare('list'),
    batch: prepareRows<Order>(
      drizzle,
      drizzle
        .select({
          id: batch.id,
          select: batch.select,
          from: batch.from,
          where: batch.where,
          table: batch.table,
          user: batch.user,
          primary: batch.primary,
          constraint: batch.constraint,
          references: batch.references,
          class: batch.class,
          delete: batch.delete,
          function: batch.function,
          await: batch.await,
          default: batch.default,
          enum: batch.enum,
          interface: batch.interface,
          constructor: batch.constructor,
          prototype: batch.prototype,
          hasOwnProperty: batch.hasOwnProperty,
          toString: batch.toString,
          valueOf: batch.valueOf,
          toJSON: batch.toJSON,
          then: batch.then,
          owner: batch.owner,
          parent: batch.parent,
          input: batch.input,
          request: batch.request,
          env: batch.env,
          caller: batch.caller,
          string: batch.string,
          int: batch.int,
          project: batch.project,
          service: batch.service,
          struct: batch.struct,
          error: batch.error,
          limit: batch.limit,
          after: batch.after,
        })
        .from(batch)
        .where(sql`coalesce(${batch._bytesBefore}, 0) < ${BATCH_BYTES}`)
        .orderBy(batch.id),
    ),
    pageEnd: drizzle
      .select({ id: orderTable.id })
      .from(orderTable)
      .where(ownBehind)
      .orderBy(orderTable.id)
      .limit(2)
      .offset(sql.placeholder('offset'))
      .prepare('page_end'),
  }
}
