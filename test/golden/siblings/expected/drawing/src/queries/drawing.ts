import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { forbidden, notFound } from '#lib/errors.ts'
import type { Limits, Owner } from '#lib/limits.ts'
import { changed, changes, once, type Page, param, single, values } from '#lib/queries.ts'
import type { Caller } from '#lib/tokens.ts'
import { isUuid, NIL_UUID } from '#lib/values.ts'
import type { CreateDrawing, Drawing, UpdateDrawing } from '../entities.ts'
import { type Database, drawing } from '../schema.ts'

const { _owner, ...columns } = getTableColumns(drawing)
const { id: _id, ...attributes } = columns
const hasId = eq(drawing.id, param('id'))
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${drawing._owner} = coalesce(${param('_owner')}, ${drawing._owner})`

/** The queries on Drawing. They check access only on behalf of a caller. */
export function drawingQueries(db: Database) {
  const insert = once(() =>
    db
      .insert(drawing)
      .values({ ...values(columns), _owner: param('_owner') })
      .returning(columns)
      .prepare('insert_drawing'),
  )
  const select = once(() => db.select(columns).from(drawing).where(hasId).prepare('select_drawing'))
  const update = once(() =>
    db
      .update(drawing)
      .set(changes(attributes))
      .where(and(hasId, isOwned))
      .returning(columns)
      .prepare('update_drawing'),
  )
  const remove = once(() =>
    db.delete(drawing).where(and(hasId, isOwned)).returning({ id: drawing.id }).prepare('delete_drawing'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(drawing)
        .where(and(...conditions, gt(drawing.id, param('after'))))
        .orderBy(drawing.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${drawing.id} = any(${param('ids')})`
  const list = listOf('list_drawing')
  const listIds = listOf('listIds_drawing', hasIds)

  return ({ writer, creator }: Limits = {}) => ({
    async createDrawing(input: Omit<CreateDrawing, 'id'> & { id?: string }, owner: Owner): Promise<Drawing> {
      return single(await insert().execute({ id: randomUUIDv7(), ...input, _owner: (creator ?? owner).id }))
    },

    async readDrawing(input: { id: string }): Promise<Drawing | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id })
      return found
    },

    async updateDrawing(input: UpdateDrawing): Promise<Drawing | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = await update().execute({
        ...changed(attributes, input),
        id: input.id,
        _owner: writer?.id,
      })
      return updated
    },

    /** Returns the id. */
    async deleteDrawing(input: { id: string }): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _owner: writer?.id })
      return deleted?.id
    },

    async listDrawing(page: Page = {}): Promise<Drawing[]> {
      return list().execute({ after: page.after ?? NIL_UUID, limit: page.limit })
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyDrawing(ids: readonly string[]): Promise<Drawing[]> {
      return listIds().execute({ ids: ids.filter(isUuid), after: NIL_UUID, limit: undefined })
    },
  })
}

/** Who may read and write a Drawing. */
export function drawingAccess(db: Database) {
  const find = once(() =>
    db.select({ owner: drawing._owner }).from(drawing).where(hasId).prepare('find_drawing'),
  )

  async function requireReadable(id: string, _caller: Caller): Promise<string> {
    const [found] = isUuid(id) ? await find().execute({ id }) : []
    if (found === undefined) throw notFound('Drawing', id)
    return found.owner
  }

  return {
    /** Throws 404 unless the caller may read the entity. */
    requireReadable,

    /** Throws 404 or 403 unless the caller may write the entity. */
    async requireWritable(id: string, caller: Caller): Promise<void> {
      if ((await requireReadable(id, caller)) !== caller.id) throw forbidden()
    },
  }
}
