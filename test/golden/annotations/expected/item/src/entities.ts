/** A stored Item. */
export interface Item {
  id: string
  label: string
  number: number
  weight: number
  day: string
  picture: Uint8Array
  keeper: string
  serial: string
  at: string
  counted: number
  checked: boolean
  holder: string
  pinHash: Uint8Array
  opensAt: string
  bought: string
  price: number
  digest: string
}

/** What a client sends to create or update a Item. */
export interface ItemRequest {
  label: string
  number: number
  weight: number
  day: string
  picture: Uint8Array
  keeper: string
  pin: string
}

/** What a create stores. */
export interface CreateItem {
  readonly id: string
  label: string
  number: number
  weight: number
  day: string
  picture: Uint8Array
  keeper: string
  serial: string
  at: string
  counted: number
  checked: boolean
  holder: string
  pinHash: Uint8Array
  opensAt: string
  bought: string
  price: number
  digest: string
}

/** What an update stores; an attribute that is `undefined` keeps its value. */
export interface UpdateItem {
  id: string
  label: string
  number: number
  weight: number
  day: string
  picture: Uint8Array
  keeper: string
  serial: string | undefined
  at: string | undefined
  counted: number | undefined
  checked: boolean | undefined
  holder: string | undefined
  pinHash: Uint8Array | undefined
  opensAt: string | undefined
  bought: string | undefined
  price: number | undefined
  digest: string | undefined
}

/** A stored Seal. */
export interface Seal {
  id: string
  parentId: string
  mark: string
  hidden: number
}

/** What a client sends to create or update a Seal. */
export interface SealRequest {
  code: string
}

/** What a create stores. */
export interface CreateSeal {
  readonly id: string
  parentId: string
  mark: string
  hidden: number
}

/** What an update stores; an attribute that is `undefined` keeps its value. */
export interface UpdateSeal {
  id: string
  parentId: string
  mark: string | undefined
  hidden: number | undefined
}
