import { z } from 'zod'
import { date } from '#lib/dates.ts'
import { base64, double, integer, text, uuid } from '#lib/values.ts'
import type { item, seal } from './schema.ts'

/** What a client sends to create or update an Item. */
export const ItemRequest = z.object({
  label: text({ max: 80 }),
  number: integer({ min: 1, max: 100 }),
  weight: double(),
  day: date,
  picture: base64(),
  keeper: uuid,
  pin: text({ min: 4, max: 8 }),
})
export type ItemRequest = z.infer<typeof ItemRequest>

/** What an update of an Item results in. It may lack what is not stored. */
export type UpdateItemRequest = Omit<ItemRequest, 'pin'> & Partial<Pick<ItemRequest, 'pin'>>

/** A stored Item. */
export type Item = Omit<typeof item.$inferSelect, '_owner'>

/** What a create stores. */
export type CreateItem = { readonly id: string } & Omit<Item, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateItem = { id: string } & Partial<Item>

/** What clients see of an Item. */
export const publicItem = (item: Item) => ({
  id: item.id,
  label: item.label,
  number: item.number,
  weight: item.weight,
  day: item.day,
  picture: item.picture.toString('base64'),
  keeper: item.keeper,
  serial: item.serial,
  at: item.at,
  counted: item.counted,
  checked: item.checked,
  holder: item.holder,
})
export type PublicItem = ReturnType<typeof publicItem>

/** What a client sends to create or update a Seal. */
export const SealRequest = z.object({
  code: text({ max: 20 }),
})
export type SealRequest = z.infer<typeof SealRequest>

/** What an update of a Seal results in. It may lack what is not stored. */
export type UpdateSealRequest = Omit<SealRequest, 'code'> & Partial<Pick<SealRequest, 'code'>>

/** A stored Seal. */
export type Seal = typeof seal.$inferSelect

/** What a create stores. */
export type CreateSeal = { readonly id: string } & Omit<Seal, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateSeal = { id: string; parentId: string } & Partial<Seal>

/** What clients see of a Seal. */
export const publicSeal = (seal: Seal) => ({
  id: seal.id,
  mark: seal.mark,
})
export type PublicSeal = ReturnType<typeof publicSeal>
