import { relations, sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  doublePrecision,
  foreignKey,
  index,
  integer,
  pgTable,
  text,
  time,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import type { DatabaseOf } from '#lib/database.ts'

/** Identifies the schema that order-db/migrations leads to. */
export const SCHEMA_HASH = 'bbca452526830b54678e3804bda10b044f0127f027796090de9a36678db358ca'

export const order = pgTable(
  'order',
  {
    id: uuid('id').primaryKey(),
    /** The id of the token that created it. */
    _owner: uuid('_owner').notNull(),
    select: text('select').notNull(),
    from: integer('from').notNull(),
    where: boolean('where').notNull(),
    table: text('table').notNull(),
    user: uuid('user').notNull(),
    primary: doublePrecision('primary').notNull(),
    constraint: date('constraint').notNull(),
    references: time('references').notNull(),
    class: text('class').notNull(),
    delete: text('delete').notNull(),
    function: text('function').notNull(),
    await: text('await').notNull(),
    default: text('default').notNull(),
    enum: text('enum').notNull(),
    interface: text('interface').notNull(),
    constructor: text('constructor').notNull(),
    prototype: text('prototype').notNull(),
    hasOwnProperty: text('has_own_property').notNull(),
    toString: text('to_string').notNull(),
    valueOf: text('value_of').notNull(),
    toJSON: text('to_json').notNull(),
    then: text('then').notNull(),
    owner: text('owner').notNull(),
    parent: text('parent').notNull(),
    input: text('input').notNull(),
    request: text('request').notNull(),
    env: text('env').notNull(),
    caller: text('caller').notNull(),
    string: text('string').notNull(),
    int: integer('int').notNull(),
    project: text('project').notNull(),
    service: text('service').notNull(),
    struct: text('struct').notNull(),
    error: text('error').notNull(),
    limit: integer('limit').notNull(),
    after: text('after').notNull(),
  },
  (order) => [
    index('order___owner__id__idx').on(order._owner, order.id),
    // Drizzle has no EXCLUDE, which keeps values of any length unique.
    index('order__table__key').using('hash', order.table),
    check(
      'order__primary__check',
      sql`${order.primary} > '-Infinity'::double precision AND ${order.primary} < 'Infinity'::double precision`,
    ),
    check('order__constraint__check', sql`${order.constraint} BETWEEN '0001-01-01' AND '9999-12-31'`),
    check('order__references__check', sql`${order.references} < '24:00:00'`),
  ],
)

export const group = pgTable(
  'group',
  {
    id: uuid('id').primaryKey(),
    parentId: uuid('_parent').notNull(),
    all: boolean('all').notNull(),
    user: uuid('user').notNull(),
  },
  (group) => [
    foreignKey({
      columns: [group.parentId],
      foreignColumns: [order.id],
      name: 'group___parent__fkey',
    }).onDelete('cascade'),
    unique('group__id___parent__key').on(group.id, group.parentId),
    index('group___parent__id__idx').on(group.parentId, group.id),
  ],
)

export const reply = pgTable(
  'reply',
  {
    id: uuid('id').primaryKey(),
    _parentId: uuid('_parent').notNull(),
  },
  (reply) => [
    foreignKey({
      columns: [reply._parentId],
      foreignColumns: [order.id],
      name: 'reply___parent__fkey',
    }).onDelete('cascade'),
    index('reply___parent__id__idx').on(reply._parentId, reply.id),
  ],
)

export const orderRelations = pgTable(
  'order_relations',
  {
    id: uuid('id').primaryKey(),
    parentId: uuid('_parent').notNull(),
    order: text('order').notNull(),
  },
  (orderRelations) => [
    foreignKey({
      columns: [orderRelations.parentId],
      foreignColumns: [order.id],
      name: 'order_relations___parent__fkey',
    }).onDelete('cascade'),
    index('order_relations___parent__id__idx').on(orderRelations.parentId, orderRelations.id),
  ],
)

export const check_ = pgTable(
  'check',
  {
    id: uuid('id').primaryKey(),
    parentId: uuid('_parent').notNull(),
    group: uuid('group').notNull(),
    unique: integer('unique').notNull().unique('check__unique__key'),
  },
  (check_) => [
    foreignKey({
      columns: [check_.parentId],
      foreignColumns: [order.id],
      name: 'check___parent__fkey',
    }).onDelete('cascade'),
    index('check___parent__id__idx').on(check_.parentId, check_.id),
    foreignKey({
      columns: [check_.group, check_.parentId],
      foreignColumns: [group.id, group.parentId],
      name: 'check__group__fkey',
    }),
    index('check__group__idx').on(check_.group),
  ],
)

export const orderRelations_ = relations(order, ({ many }) => ({
  groupList: many(group, { relationName: 'group' }),
  replyList: many(reply, { relationName: 'reply' }),
  orderRelationsList: many(orderRelations, { relationName: 'order_relations' }),
  check_List: many(check_, { relationName: 'check' }),
}))

export const groupRelations = relations(group, ({ one }) => ({
  order: one(order, {
    relationName: 'group',
    fields: [group.parentId],
    references: [order.id],
  }),
}))

export const replyRelations = relations(reply, ({ one }) => ({
  order: one(order, {
    relationName: 'reply',
    fields: [reply._parentId],
    references: [order.id],
  }),
}))

export const orderRelationsRelations = relations(orderRelations, ({ one }) => ({
  order_: one(order, {
    relationName: 'order_relations',
    fields: [orderRelations.parentId],
    references: [order.id],
  }),
}))

export const check_Relations = relations(check_, ({ one }) => ({
  order: one(order, {
    relationName: 'check',
    fields: [check_.parentId],
    references: [order.id],
  }),
  groupEntry: one(group, {
    relationName: 'check.group',
    fields: [check_.group],
    references: [group.id],
  }),
}))

export type Database = DatabaseOf<typeof import('./schema.ts')>
