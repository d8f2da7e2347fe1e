/** A stored Order. */
export interface Order {
  id: string
  select: string
  from: number
  where: boolean
  table: string
  user: string
  primary: number
  constraint: string
  references: string
  class: string
  delete: string
  function: string
  await: string
  default: string
  enum: string
  interface: string
  constructor: string
  prototype: string
  hasOwnProperty: string
  toString: string
  valueOf: string
  toJSON: string
  then: string
  owner: string
  parent: string
  input: string
  request: string
  env: string
  caller: string
  string: string
  int: number
  project: string
  service: string
  struct: string
  error: string
  limit: number
  after: string
}

/** What a client sends to create or update a Order. */
export interface OrderRequest {
  select: string
  from: number
  where: boolean
  table: string
  user: string
  primary: number
  constraint: string
  references: string
  class: string
  delete: string
  await: string
  new: string
  enum: string
  interface: string
  constructor: string
  prototype: string
  hasOwnProperty: string
  toString: string
  valueOf: string
  toJSON: string
  then: string
  owner: string
  parent: string
  input: string
  request: string
  env: string
  caller: string
  string: string
  int: number
  project: string
  service: string
  struct: string
  error: string
  limit: number
  after: string
}

/** What a create stores. */
export interface CreateOrder {
  readonly id: string
  select: string
  from: number
  where: boolean
  table: string
  user: string
  primary: number
  constraint: string
  references: string
  class: string
  delete: string
  function: string
  await: string
  default: string
  enum: string
  interface: string
  constructor: string
  prototype: string
  hasOwnProperty: string
  toString: string
  valueOf: string
  toJSON: string
  then: string
  owner: string
  parent: string
  input: string
  request: string
  env: string
  caller: string
  string: string
  int: number
  project: string
  service: string
  struct: string
  error: string
  limit: number
  after: string
}

/** What an update stores; an attribute that is `undefined` keeps its value. */
export interface UpdateOrder {
  id: string
  select: string
  from: number
  where: boolean
  table: string
  user: string
  primary: number
  constraint: string
  references: string
  class: string
  delete: string
  await: string
  enum: string
  interface: string
  constructor: string
  prototype: string
  hasOwnProperty: string
  toString: string
  valueOf: string
  toJSON: string
  then: string
  owner: string
  parent: string
  input: string
  request: string
  env: string
  caller: string
  string: string
  int: number
  project: string
  service: string
  struct: string
  error: string
  limit: number
  after: string
  function: string | undefined
  default: string | undefined
}

/** A stored Group. */
export interface Group {
  id: string
  parentId: string
  all: boolean
  user: string
}

/** What a client sends to create or update a Group. */
export interface GroupRequest {
  all: boolean
  user: string
}

/** What a create stores. */
export interface CreateGroup {
  readonly id: string
  parentId: string
  all: boolean
  user: string
}

/** What an update stores. */
export interface UpdateGroup {
  id: string
  parentId: string
  all: boolean
  user: string
}

/** A stored Check. */
export interface Check {
  id: string
  parentId: string
  group: string
  unique: number
}

/** What a client sends to create or update a Check. */
export interface CheckRequest {
  group: string
  unique: number
}

/** What a create stores. */
export interface CreateCheck {
  readonly id: string
  parentId: string
  group: string
  unique: number
}

/** What an update stores. */
export interface UpdateCheck {
  id: string
  parentId: string
  group: string
  unique: number
}
