import { randomUUIDv7 } from 'node:crypto'
import { and, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { notFound } from '#lib/errors.ts'
import { changed, changes, once, type Page, param, single, values } from '#lib/queries.ts'
import { isUuid, NIL_UUID } from '#lib/values.ts'
import type { CreateNote, Note, UpdateNote } from '../entities.ts'
import { type Database, note } from '../schema.ts'

const columns = getTableColumns(note)
const { id: _id, ...attributes } = columns
const hasId = eq(note.id, param('id'))

/** The queries on Note. They do not check access. */
export function noteQueries(db: Database) {
  const insert = once(() => db.insert(note).values(values(columns)).returning(columns).prepare('insert_note'))
  const select = once(() => db.select(columns).from(note).where(hasId).prepare('select_note'))
  const update = once(() =>
    db.update(note).set(changes(attributes)).where(hasId).returning(columns).prepare('update_note'),
  )
  const remove = once(() => db.delete(note).where(hasId).returning({ id: note.id }).prepare('delete_note'))
  const listOf = (name: string, ...conditions: SQL[]) =>
    once(() =>
      db
        .select(columns)
        .from(note)
        .where(and(...conditions, gt(note.id, param('after'))))
        .orderBy(note.id)
        .limit(sql.placeholder('limit'))
        .prepare(name),
    )
  const hasIds = sql`${note.id} = any(${param('ids')})`
  const list = listOf('list_note')
  const listIds = listOf('listIds_note', hasIds)

  return {
    async createNote(input: Omit<CreateNote, 'id'> & { id?: string }): Promise<Note> {
      return single(await insert().execute({ id: randomUUIDv7(), ...input }))
    },

    async readNote(input: { id: string }): Promise<Note | undefined> {
      if (!isUuid(input.id)) return undefined
      const [found] = await select().execute({ id: input.id })
      return found
    },

    async updateNote(input: UpdateNote): Promise<Note | undefined> {
      if (!isUuid(input.id)) return undefined
      const [updated] = await update().execute({ ...changed(attributes, input), id: input.id })
      return updated
    },

    /** Returns the id. */
    async deleteNote(input: { id: string }): Promise<string | undefined> {
      if (!isUuid(input.id)) return undefined
      const [deleted] = await remove().execute({ id: input.id })
      return deleted?.id
    },

    async listNote(page: Page = {}): Promise<Note[]> {
      return list().execute({ after: page.after ?? NIL_UUID, limit: page.limit })
    },

    /** Returns those that exist, in the order of their ids. */
    async readManyNote(ids: readonly string[]): Promise<Note[]> {
      return listIds().execute({ ids: ids.filter(isUuid), after: NIL_UUID, limit: undefined })
    },
  }
}

/** Who may read and write a Note. */
export function noteAccess(db: Database) {
  const find = once(() => db.select({ id: note.id }).from(note).where(hasId).prepare('find_note'))

  async function requireReadable(id: string, _caller?: undefined): Promise<void> {
    const [found] = isUuid(id) ? await find().execute({ id }) : []
    if (found === undefined) throw notFound('Note', id)
  }

  return {
    /** Throws 404 unless the caller may read the entity. */
    requireReadable,

    /** Throws 404 unless the caller may write the entity. */
    requireWritable: requireReadable,
  }
}
