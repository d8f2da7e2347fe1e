import { boolean, date, doublePrecision, integer, pgTable, text, time, uuid } from 'drizzle-orm/pg-core'

/** Where Order is stored. */
export const orderTable = pgTable('order', {
  id: uuid('id').primaryKey(),
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
  constructor_: text('constructor').notNull(),
  prototype: text('prototype').notNull(),
  hasOwnProperty_: text('has_own_property').notNull(),
  toString_: text('to_string').notNull(),
  valueOf_: text('value_of').notNull(),
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
})

/** Where Group is stored. */
export const groupTable = pgTable('group', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
  all: boolean('all').notNull(),
  user: uuid('user').notNull(),
})

/** Where Check is stored. */
export const checkTable = pgTable('check', {
  id: uuid('id').primaryKey(),
  _parent: uuid('_parent').notNull(),
  group: uuid('group').notNull(),
  unique: integer('unique').notNull(),
})
