import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { SigningCredential } from '../conformance/check.ts'
import { isObject, type Json, parseJson } from '../conformance/json.ts'
import { isSystemError, surroundingsFailure, systemErrorReason } from './failure.ts'

/**
 * The credential that signs, the first of the file that the gateway and its services read.
 *
 * @throws a `Failure` of status 3 where the file cannot be read or holds none.
 */
export function readCredential(file: string, cwd: string): SigningCredential {
  const credential = firstCredential(parseJson(textOf(file, cwd)))
  if (credential) return credential
  throw surroundingsFailure(
    `${file} holds no credentials of a gateway.`,
    'It is JSON: {"consumer": "...", "credentials": [{"id": "...", "secret": "..."}]}',
  )
}

function textOf(file: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, file), 'utf8')
  } catch (error) {
    if (isSystemError(error))
      throw surroundingsFailure(`${file} cannot be read: ${systemErrorReason(error)}.`)
    throw error
  }
}

function firstCredential(content: Json | undefined): SigningCredential | undefined {
  const credentials = isObject(content) ? content['credentials'] : undefined
  const first: Json | undefined = Array.isArray(credentials) ? credentials[0] : undefined
  if (!isObject(first)) return undefined
  const { id, secret } = first
  return typeof id === 'string' && typeof secret === 'string' ? { id, secret } : undefined
}
