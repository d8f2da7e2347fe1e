import { randomUUIDv7 } from 'node:crypto'
import { and, eq, exists, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import type { Limits } from '#lib/limits.ts'
import { changed, changes, once, type Page, param } from '#lib/queries.ts'
import { isUuid, NIL_UUID } from '#lib/values.ts'
import type { CreateNote, Note, UpdateNote } from '../entities.ts'
import { type Database, drawing, note } from '../schema.ts'

const columns = getTableColumns(note)
const { id: _id, parentId: _parent, ...attributes } = columns
const isInParent = eq(note.parentId, param('_parent'))
const hasId = and(eq(note.id, param('id')), isInParent)
/** Without an owner, anyone's entity matches. */
const isOwned = sql`${drawing._owner} = coalesce(${param('_owner')}, ${drawing._owner})`

/** The queries on Note. They check access only on behalf of a caller. */
export function noteQueries(db: Database) {
  const isInOwn = exists(
    db
      .select({ id: drawing.id })
      .from(drawing)
      .where(and(eq(drawing.id, note.parentId), isOwned)),
  )
  // The lock keeps the parent until the entry is stored.
  const insert = once(() =>
    db
      .insert(note)
      .select(
        db
          .select({
            id: sql<string>`${param('id')}::uuid`.as('id'),
            parentId: drawing.id,
            about: sql<string>`${param('about')}::uuid`.as('about'),
            node: sql<string>`${param('node')}::uuid`.as('node'),
            text: sql<string>`${param('text')}::text`.as('text'),
          })
          .from(drawing)
          .where(and(eq(drawing.id, param('_parent')), isOwned))
          .for('key share'),
      )
      .returning(columns)
      .prepare('insert_note'),
  )
  const select = once(() => db.select(columns).from(note).where(hasId).prepare('select_note'))
  const update = once(() =>
    db
      .update(note)
      .set(changes(attributes))
      .where(and(hasId, isInOwn))
      .returning(columns)
      .prepare('update_note'),
  )
  const remove = once(() =>
    db.delete(note).where(and(hasId, isInOwn)).returning({ id: note.id }).prepare('delete_note'),
  )
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(note)
        .where(and(...conditions, isInParent, gt(note.id, param('after'))))
        .orderBy(note.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${note.id} = any(${param('ids')})`
  const list = listOf('list_note')
  const listIds = listOf('listIds_note', hasIds)

  return ({ writer }: Limits = {}) => ({
    /** Returns `undefined` without a parent. */
    async createNote(input: Omit<CreateNote, 'id'> & { id?: string }): Promise<Note | undefined> {
      if (!isUuid(input.parentId)) return undefined
      const [created] = await insert().execute({
        id: randomUUIDv7(),
        ...input,
        _parent: input.parentId,
        _owner: writer?.id,
      })
      return created
    },

    async readNote(input: { id: string; parentId: string }): Promise<Note | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [found] = await select().execute({ id: input.id, _parent: input.parentId })
      return found
    },

    async updateNote(input: UpdateNote): Promise<Note | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [updated] = await update().execute({
        ...changed(attributes, input),
        id: input.id,
        _parent: input.parentId,
        _owner: writer?.id,
      })
      return updated
    },

    /** Returns the id. */
    async deleteNote(input: { id: string; parentId: string }): Promise<string | undefined> {
      if (!isUuid(input.id) || !isUuid(input.parentId)) return undefined
      const [deleted] = await remove().execute({ id: input.id, _parent: input.parentId, _owner: writer?.id })
      return deleted?.id
    },

    async listNote(page: Page & { parentId: string }): Promise<Note[]> {
      if (!isUuid(page.parentId)) return []
      return list().execute({ _parent: page.parentId, after: page.after ?? NIL_UUID, limit: page.limit })
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyNote(parentId: string, ids: readonly string[]): Promise<Note[]> {
      if (!isUuid(parentId)) return []
      return listIds().execute({
        ids: ids.filter(isUuid),
        _parent: parentId,
        after: NIL_UUID,
        limit: undefined,
      })
    },
  })
}
