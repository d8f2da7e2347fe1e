import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { notFound } from '#lib/errors.ts'
import type { Owner } from '#lib/limits.ts'
import { batchesBySize, collect, readList } from '#lib/lists.ts'
import { changed, changes, once, type Page, param, single, values } from '#lib/queries.ts'
import type { Caller } from '#lib/tokens.ts'
import { isUuid } from '#lib/values.ts'
import type { Board, CreateBoard, UpdateBoard } from '../entities.ts'
import { board, type Database } from '../schema.ts'

const { _owner, ...columns } = getTableColumns(board)
const { id: _id, ...attributes } = columns
const hasId = eq(board.id, param('id'))
/** The size of a row without its small values. */
const _bytes = sql<number>`octet_length(${board.text})`

/** The queries on Board. They do not check access. */
export function boardQueries(db: Database) {
  const insert = once(() =>
    db
      .insert(board)
      .values({ ...values(columns), _owner: param('_owner') })
      .returning(columns)
      .prepare('insert_board'),
  )
  const select = once(() => db.select(columns).from(board).where(hasId).prepare('select_board'))
  const update = once(() =>
    db.update(board).set(changes(attributes)).where(hasId).returning(columns).prepare('update_board'),
  )
  const remove = once(() => db.delete(board).where(hasId).returning({ id: board.id }).prepare('delete_board'))
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select({ id: board.id, _bytes })
        .from(board)
        .where(and(...conditions, gt(board.id, param('after'))))
        .orderBy(board.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${board.id} = any(${param('ids')})`
  const list = listOf('list_board')
  const listIds = listOf('listIds_board', hasIds)
  const rows = once(() => db.select(columns).from(board).where(hasIds).prepare('rows_board'))
  const batches = batchesBySize((ids) => rows().execute({ ids }))

  /** Reads a list in batches, so that memory does not grow with it. */
  function batchesOfBoard(page: Page) {
    const statement = page['id[in]'] === undefined ? list : listIds
    return readList(page, { rows: (range) => statement().execute({ ...range }), batches })
  }

  return {
    async createBoard(input: Omit<CreateBoard, 'id'> & { id?: string }, owner: Owner): Promise<Board> {
      return single(await insert().execute({ id: randomUUIDv7(), ...input, _owner: owner.id }))
    },

    async readBoard(input: { id: string }): Promise<Board | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id })
      return found
    },

    async updateBoard(input: UpdateBoard): Promise<Board | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = await update().execute({ ...changed(attributes, input), id: input.id })
      return updated
    },

    /** Returns the id. */
    async deleteBoard(input: { id: string }): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id })
      return deleted?.id
    },

    async listBoard(page: Page = {}): Promise<Board[]> {
      return collect(await batchesOfBoard(page))
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyBoard(ids: readonly string[]): Promise<Board[]> {
      return collect(await batchesOfBoard({ 'id[in]': ids.filter(isUuid) }))
    },

    batchesOfBoard,
  }
}

/** Who may read and write a Board. */
export function boardAccess(db: Database) {
  const find = once(() => db.select({ id: board.id }).from(board).where(hasId).prepare('find_board'))

  async function requireReadable(id: string, _caller: Caller): Promise<void> {
    const [found] = isUuid(id) ? await find().execute({ id }) : []
    if (found === undefined) throw notFound('Board', id)
  }

  return {
    /** Throws 404 unless the caller may read the entity. */
    requireReadable,

    /** Throws 404 unless the caller may write the entity. */
    requireWritable: requireReadable,
  }
}
