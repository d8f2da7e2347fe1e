import type { Context } from 'hono'
import { invalidBody, ServiceError } from './errors.ts'
import { type JsonObject, parseJsonObject } from './json.ts'

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The request's body, whatever its content type says.
 * Throws 413 for more than `maxBytes` bytes and 400 for anything but a JSON object in valid UTF-8.
 */
export async function readBody(c: Context, maxBytes: number): Promise<JsonObject> {
  return parseBody(await readBytes(c, maxBytes))
}

/** The same for an operation that takes no attributes: no body at all is as good as `{}`. */
export async function readOptionalBody(c: Context, maxBytes: number): Promise<JsonObject> {
  const bytes = await readBytes(c, maxBytes)
  return bytes.byteLength === 0 ? new Map() : parseBody(bytes)
}

/** Throws 400 with the names of all attributes that the body lacks; `null` counts as lacking. */
export function requireAttributes(body: JsonObject, names: readonly string[]): void {
  const missing = names.filter((name) => body.get(name) === undefined || body.get(name) === null)
  if (missing.length > 0) {
    throw new ServiceError(400, `Missing request parameter(s): ${missing.join(', ')}`)
  }
}

function parseBody(bytes: ArrayBuffer | Uint8Array): JsonObject {
  let text: string
  try {
    text = UTF8.decode(bytes)
  } catch {
    throw invalidBody('is not UTF-8')
  }
  try {
    return parseJsonObject(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw invalidBody(error.message)
    throw error
  }
}

async function readBytes(c: Context, maxBytes: number): Promise<ArrayBuffer | Uint8Array> {
  const length = c.req.header('content-length')
  if (Number(length) > maxBytes) throw tooLarge()
  try {
    // Where its length is not known, a body is counted as it comes.
    if (length === undefined && c.req.header('transfer-encoding') !== undefined && !c.req.raw.bodyUsed) {
      return await readStream(c.req.raw.body, maxBytes)
    }
    return await c.req.arrayBuffer()
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw invalidBody('is incomplete')
  }
}

async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<ArrayBuffer | Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = stream?.getReader()
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    size += part.value.byteLength
    if (size > maxBytes) throw tooLarge()
    chunks.push(part.value)
  }
  return Buffer.concat(chunks)
}

function tooLarge(): ServiceError {
  return new ServiceError(413, 'Request body too large')
}
