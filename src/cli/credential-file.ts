import { resolve } from 'node:path'
import type { SigningCredential } from '../conformance/test-context.ts'
import { isObject, type Json, parseJson } from '../json.ts'
import { environmentError } from './command-error.ts'
import { readTextFile } from './definition.ts'

/**
 * Reads the signing credential of a gateway: the first in the file that the gateway and the services share.
 *
 * @throws a `CommandError` with status 3 if the file cannot be read or has no credential.
 */
export function readCredential(file: string, cwd: string): SigningCredential {
  const credential = firstCredential(parseJson(readTextFile(file, resolve(cwd, file)).toString('utf8')))
  if (credential) return credential
  throw environmentError(
    `\`${file}\` does not contain gateway credentials`,
    'the format is {"consumer": "...", "credentials": [{"id": "...", "secret": "..."}]}',
  )
}

function firstCredential(content: Json | undefined): SigningCredential | undefined {
  const credentials = isObject(content) ? content['credentials'] : undefined
  const first: Json | undefined = Array.isArray(credentials) ? credentials[0] : undefined
  if (!isObject(first)) return undefined
  const { id, secret } = first
  return typeof id === 'string' && typeof secret === 'string' ? { id, secret } : undefined
}
