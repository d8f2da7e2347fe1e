/** A stored Train. */
export interface Train {
  id: string
  from: string
  to: string
  driver: string
}

/** What a client sends to create or update a Train. */
export interface TrainRequest {
  from: string
  to: string
  driver: string
}

/** What a create stores. */
export interface CreateTrain {
  readonly id: string
  from: string
  to: string
  driver: string
}

/** What an update stores. */
export interface UpdateTrain {
  id: string
  from: string
  to: string
  driver: string
}

/** A stored Seat. */
export interface Seat {
  id: string
  parentId: string
  number: number
  taker: string
  connection: string
  through: string
}

/** What a client sends to create or update a Seat. */
export interface SeatRequest {
  number: number
  taker: string
  connection: string
}

/** What a create stores. */
export interface CreateSeat {
  readonly id: string
  parentId: string
  number: number
  taker: string
  connection: string
  through: string
}

/** What an update stores; an attribute that is `undefined` keeps its value. */
export interface UpdateSeat {
  id: string
  parentId: string
  number: number
  taker: string
  connection: string
  through: string | undefined
}
