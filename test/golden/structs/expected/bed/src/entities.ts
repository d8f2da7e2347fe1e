import { z } from 'zod'
import { date } from '#lib/dates.ts'
import { double, text } from '#lib/values.ts'
import type { bed, plant, watering } from './schema.ts'

/** What a client sends to create or update a Bed. */
export const BedRequest = z.object({
  name: text({ min: 1, max: 40 }),
})
export type BedRequest = z.infer<typeof BedRequest>

/** A stored Bed. */
export type Bed = typeof bed.$inferSelect

/** What a create stores. */
export type CreateBed = { readonly id: string } & Omit<Bed, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateBed = { id: string } & Partial<Bed>

/** What clients see of a Bed. */
export const publicBed = (bed: Bed) => ({
  id: bed.id,
  name: bed.name,
})
export type PublicBed = ReturnType<typeof publicBed>

/** What a client sends to create or update a Plant. */
export const PlantRequest = z.object({
  label: text({ max: 20 }),
  planted: date,
})
export type PlantRequest = z.infer<typeof PlantRequest>

/** A stored Plant. */
export type Plant = typeof plant.$inferSelect

/** What a create stores. */
export type CreatePlant = { readonly id: string } & Omit<Plant, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdatePlant = { id: string; parentId: string } & Partial<Plant>

/** What clients see of a Plant. */
export const publicPlant = (plant: Plant) => ({
  id: plant.id,
  label: plant.label,
  planted: plant.planted,
})
export type PublicPlant = ReturnType<typeof publicPlant>

/** What a client sends to create or update a Watering. */
export const WateringRequest = z.object({
  litres: double({ min: 0 }),
})
export type WateringRequest = z.infer<typeof WateringRequest>

/** A stored Watering. */
export type Watering = typeof watering.$inferSelect

/** What a create stores. */
export type CreateWatering = { readonly id: string } & Omit<Watering, 'id'>

/** What an update stores. Attributes that are left out keep their value. */
export type UpdateWatering = { id: string; parentId: string } & Partial<Watering>

/** What clients see of a Watering. */
export const publicWatering = (watering: Watering) => ({
  id: watering.id,
  litres: watering.litres,
  done: watering.done,
})
export type PublicWatering = ReturnType<typeof publicWatering>
