import { requireAttributes } from './body.ts'
import { invalidParameter } from './errors.ts'
import type { CredentialsRequest } from './hooks.ts'
import type { JsonObject } from './json.ts'
import { readString } from './values/string.ts'

/** What `<input type=email>` takes: https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/
const MAX_EMAIL_LENGTH = 254
const MIN_PASSWORD_LENGTH = 8
/** What follows the 72nd byte bcrypt does not see. */
const MAX_PASSWORD_BYTES = 72

/** What a body holds. Throws 400 for what is missing or cannot be an email or a password. */
export function readCredentialsRequest(body: JsonObject): CredentialsRequest {
  requireAttributes(body, ['email', 'password'])
  return { email: readEmail(body), password: readPassword(body) }
}

function readEmail(body: JsonObject): string {
  const email = readString(body, 'email')
  if (email.length > MAX_EMAIL_LENGTH) {
    throw invalidParameter('email', `must have at most ${MAX_EMAIL_LENGTH} bytes`)
  }
  if (!EMAIL.test(email)) throw invalidParameter('email', 'must be an email address')
  return email
}

function readPassword(body: JsonObject): string {
  const password = readString(body, 'password', MIN_PASSWORD_LENGTH)
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) {
    throw invalidParameter('password', `must have at most ${MAX_PASSWORD_BYTES} bytes`)
  }
  return password
}
