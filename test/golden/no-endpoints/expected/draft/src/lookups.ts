/** What finds one entity. */
export interface Lookup {
  id: string
}

/** What finds one entry of a struct. */
export interface EntryLookup extends Lookup {
  parentId: string
}

/** Which part of a list is wanted: at most `limit` behind the id `after`; without them all. */
export interface Range {
  after?: string
  limit?: number
}

/** The same of the entries under one parent. */
export interface EntryRange extends Range {
  parentId: string
}
