import { z } from 'zod'
import { date } from '#lib/dates.ts'
import { time } from '#lib/times.ts'
import { base64, boolean, integer, oneOf, real, text, uuid, withDefault } from '#lib/values.ts'
import type { album, category, photo } from './schema.ts'

/** What a client sends to create or update a Category. */
export const CategoryRequest = z.object({
  title: text({ max: 80 }),
  /** The category that contains it. */
  parent: uuid.nullable().default(null),
  owner: uuid.nullable().default(null),
  open: withDefault(boolean, true),
  priority: withDefault(integer({ min: 1, max: 5 }), 3),
  country: withDefault(text({ max: 2 }), 'NL'),
  greeting: withDefault(text(), 'It\'s "open"'),
  image: base64({ max: 5000 }).nullable().default(null),
  text: text().nullable().default(null),
  share: real({ min: 0, max: 1 }).nullable().default(0.1),
  starts: withDefault(date, () => new Date().toISOString().slice(0, 10)),
  at: time.nullable().default(() => new Date().toISOString().slice(11, 23)),
  state: withDefault(oneOf('new', 'open', 'closed'), 'open'),
  size: oneOf('s', 'm', '2xl').nullable().default(null),
  constructor: text({ max: 5 }).nullable().default(null),
})
export type CategoryRequest = z.infer<typeof CategoryRequest>

/** A stored Category. */
export type Category = Omit<typeof category.$inferSelect, '_owner'>

/** What a create stores. */
export type CreateCategory = { readonly id: string } & Omit<Category, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateCategory = { id: string } & Partial<Category>

/** What clients see of a Category. */
export const publicCategory = (category: Category) => ({
  id: category.id,
  title: category.title,
  parent: category.parent,
  owner: category.owner,
  open: category.open,
  priority: category.priority,
  country: category.country,
  greeting: category.greeting,
  image: category.image?.toString('base64') ?? null,
  text: category.text,
  share: category.share,
  starts: category.starts,
  at: category.at,
  openedAt: category.openedAt,
  closedAt: category.closedAt,
  state: category.state,
  size: category.size,
  kind: category.kind,
  constructor: category.constructor,
})
export type PublicCategory = ReturnType<typeof publicCategory>

/** What a client sends to create or update a Photo. */
export const PhotoRequest = z.object({
  caption: text({ max: 200 }).nullable().default(null),
  album: uuid.nullable().default(null),
  next: uuid.nullable().default(null),
})
export type PhotoRequest = z.infer<typeof PhotoRequest>

/** A stored Photo. */
export type Photo = typeof photo.$inferSelect

/** What a create stores. */
export type CreatePhoto = { readonly id: string } & Omit<Photo, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdatePhoto = { id: string; parentId: string } & Partial<Photo>

/** What clients see of a Photo. */
export const publicPhoto = (photo: Photo) => ({
  id: photo.id,
  caption: photo.caption,
  album: photo.album,
  next: photo.next,
})
export type PublicPhoto = ReturnType<typeof publicPhoto>

/** What a client sends to create or update an Album. */
export const AlbumRequest = z.object({
  cover: uuid.nullable().default(null),
  title: withDefault(text({ max: 20 }), 'Album'),
})
export type AlbumRequest = z.infer<typeof AlbumRequest>

/** A stored Album. */
export type Album = typeof album.$inferSelect

/** What a create stores. */
export type CreateAlbum = { readonly id: string } & Omit<Album, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateAlbum = { id: string; parentId: string } & Partial<Album>

/** What clients see of an Album. */
export const publicAlbum = (album: Album) => ({
  id: album.id,
  cover: album.cover,
  title: album.title,
})
export type PublicAlbum = ReturnType<typeof publicAlbum>
