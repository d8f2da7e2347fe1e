/** JSON as `JSON.parse` gives it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** Whether JSON is an object, neither an array nor null. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of an object's own key: an attribute may be called `constructor`. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Parses text as JSON; `undefined` where it is none. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) as Json
  } catch {
    return undefined
  }
}

/** Whether two values are the same JSON, whatever the order of their keys. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item: Json, index) => sameJson(item, b[index] as Json))
    )
  }
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  )
}

/** JSON of which objects may be maps. */
type Mapped = null | boolean | number | string | readonly Mapped[] | MappedObject
type MappedObject = ReadonlyMap<string, Mapped> | { readonly [key: string]: Mapped }

/** JSON with the keys of every object in the order of their code units: the same value gives the same bytes. */
export function stableJson(value: Mapped): string {
  const parts: string[] = []
  write(value, '\n', parts)
  return `${parts.join('')}\n`
}

/** Writes a value as `JSON.stringify` would; `line` begins a line at its indentation. */
function write(value: Mapped, line: string, parts: string[]): void {
  if (typeof value !== 'object' || value === null) parts.push(JSON.stringify(value))
  else if (isArray(value)) {
    for (const [index, item] of value.entries()) {
      parts.push(index === 0 ? '[' : ',', line, '  ')
      write(item, `${line}  `, parts)
    }
    parts.push(value.length === 0 ? '[]' : `${line}]`)
  } else {
    const members = value instanceof Map ? [...value] : Object.entries(value)
    members.sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [index, [key, member]] of members.entries()) {
      parts.push(index === 0 ? '{' : ',', line, '  ', JSON.stringify(key), ': ')
      write(member, `${line}  `, parts)
    }
    parts.push(members.length === 0 ? '{}' : `${line}}`)
  }
}

function isArray(value: readonly Mapped[] | MappedObject): value is readonly Mapped[] {
  return Array.isArray(value)
}
