/** A stored Bed. */
export interface Bed {
  id: string
  name: string
}

/** What a client sends to create or update a Bed. */
export interface BedRequest {
  name: string
}

/** What a create stores. */
export interface CreateBed {
  readonly id: string
  name: string
}

/** What an update stores. */
export interface UpdateBed {
  id: string
  name: string
}

/** A stored Plant. */
export interface Plant {
  id: string
  parentId: string
  label: string
  planted: string
}

/** What a client sends to create or update a Plant. */
export interface PlantRequest {
  label: string
  planted: string
}

/** What a create stores. */
export interface CreatePlant {
  readonly id: string
  parentId: string
  label: string
  planted: string
}

/** What an update stores. */
export interface UpdatePlant {
  id: string
  parentId: string
  label: string
  planted: string
}

/** A stored Watering. */
export interface Watering {
  id: string
  parentId: string
  litres: number
  done: string
}

/** What a client sends to create or update a Watering. */
export interface WateringRequest {
  litres: number
}

/** What a create stores. */
export interface CreateWatering {
  readonly id: string
  parentId: string
  litres: number
  done: string
}

/** What an update stores; an attribute that is `undefined` keeps its value. */
export interface UpdateWatering {
  id: string
  parentId: string
  litres: number
  done: string | undefined
}
