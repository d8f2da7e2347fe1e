/** A stored Every. */
export interface Every {
  id: string
  flag: boolean
  anyText: string
  boundText: string
  exactText: string
  lowText: string
  anyInt: number
  max: number
  range: number
  one: number
  two: number
  three: number
  four: number
  five: number
  eight: number
  wide: number
  anyFloat: number
  positive: number
  share: number
  single: number
  day: string
  clock: string
  moment: string
  blob: Uint8Array
  small: Uint8Array
}

/** What a client sends to create or update a Every. */
export interface EveryRequest {
  flag: boolean
  anyText: string
  boundText: string
  exactText: string
  lowText: string
  anyInt: number
  max: number
  range: number
  one: number
  two: number
  three: number
  four: number
  five: number
  eight: number
  wide: number
  anyFloat: number
  positive: number
  share: number
  single: number
  day: string
  clock: string
  moment: string
  blob: Uint8Array
  small: Uint8Array
}

/** What a create stores. */
export interface CreateEvery {
  readonly id: string
  flag: boolean
  anyText: string
  boundText: string
  exactText: string
  lowText: string
  anyInt: number
  max: number
  range: number
  one: number
  two: number
  three: number
  four: number
  five: number
  eight: number
  wide: number
  anyFloat: number
  positive: number
  share: number
  single: number
  day: string
  clock: string
  moment: string
  blob: Uint8Array
  small: Uint8Array
}

/** What an update stores. */
export interface UpdateEvery {
  id: string
  flag: boolean
  anyText: string
  boundText: string
  exactText: string
  lowText: string
  anyInt: number
  max: number
  range: number
  one: number
  two: number
  three: number
  four: number
  five: number
  eight: number
  wide: number
  anyFloat: number
  positive: number
  share: number
  single: number
  day: string
  clock: string
  moment: string
  blob: Uint8Array
  small: Uint8Array
}
