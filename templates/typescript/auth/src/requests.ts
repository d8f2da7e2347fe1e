import { z } from 'zod'
import { text } from '#lib/values.ts'

/** What `<input type=email>` accepts: https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/
/** RFC 5321, section 4.5.3.1.3, without the angle brackets of a path. */
const MAX_EMAIL_BYTES = 254
const MIN_PASSWORD_LENGTH = 8
/** bcrypt ignores everything after the 72nd byte. */
const MAX_PASSWORD_BYTES = 72

/**
 * The password as the systems of all users write it (RFC 8265, OpaqueString). Some compose `é` of two characters, or
 * type a space that is not that of ASCII.
 */
export const normalized = (password: string) => password.replace(/\p{Zs}/gu, ' ').normalize('NFC')

const email = z
  .string('must be a string')
  .max(MAX_EMAIL_BYTES, `must have at most ${MAX_EMAIL_BYTES} bytes`)
  .regex(EMAIL, 'must be an email address')
const password = text({ min: MIN_PASSWORD_LENGTH }).refine(
  (value) => Buffer.byteLength(value) <= MAX_PASSWORD_BYTES,
  `must have at most ${MAX_PASSWORD_BYTES} bytes`,
)
const string = z.string('must be a string')

/** The body of a request to register. */
export const Credentials = z.object({ email, password: string.overwrite(normalized).pipe(password) })
export type Credentials = z.infer<typeof Credentials>

/** The body of a request to log in. The password may be of an account whose password was not normalized. */
export const Login = z.object({
  email,
  password: string
    .overwrite((value) => (password.safeParse(value).success ? value : normalized(value)))
    .pipe(password),
})
