import { isObject, type Json, type JsonObject, parseJson } from '../json.ts'

/** Returns the value of an object's own key, because an attribute may be called `constructor`. */
export function ownValue(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Parses the text of a file as a JSON object; `undefined` if it is not one. A byte order mark is ignored. */
export function parseObject(text: string): JsonObject | undefined {
  const json = parseJson(text.replace(/^\uFEFF/, ''))
  return isObject(json) ? json : undefined
}
