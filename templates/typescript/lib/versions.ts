import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'

interface Versioned {
  readonly _version: number
}

/** The versions that a request accepts; `undefined` for any. No entity has version 0. */
export type Versions = readonly number[] | undefined

/** What `If-Match` and `If-None-Match` consist of (RFC 9110, section 8.8.3). */
const ENTITY_TAG = /(?:W\/)?"[^"]*"|[^\s,]+/g
/** The tags of versions. No other one is a number. */
const VERSION = /^"([1-9]\d{0,14})"$/

const tagsOf = (header: string) => header.match(ENTITY_TAG) ?? []
const versionOf = (tag: string) => Number(VERSION.exec(tag)?.[1] ?? 0)

/** Reads `If-Match`. Weak tags match nothing. */
export function ifMatch(c: Context): Versions {
  const tags = c.req.header('if-match')
  return tags === undefined || tags.trim() === '*' ? undefined : tagsOf(tags).map(versionOf)
}

/** Reads `If-Match`. Throws 428 without it. */
export function requireMatch(c: Context): Versions {
  if (c.req.header('if-match') === undefined)
    throw new HTTPException(428, { message: 'If-Match is required' })
  return ifMatch(c)
}

/** Whether `If-None-Match` contains the version. Weak tags match, too. */
export function isNotModified(c: Context, { _version }: Versioned): boolean {
  const tags = c.req.header('if-none-match')
  if (tags === undefined) return false
  return tags.trim() === '*' || tagsOf(tags).some((tag) => versionOf(tag.replace(/^W\//, '')) === _version)
}

/** The header of responses with the version. */
export const tagOf = ({ _version }: Versioned) => ({ ETag: `"${_version}"` })

/** The error for an entity that does not have one of the versions. */
export const hasChanged = (entity: string) => new HTTPException(412, { message: `${entity} has changed` })
