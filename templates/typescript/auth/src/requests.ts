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

/** The body of a request to register or log in. */
export const Credentials = z.object({
  email: z
    .string('must be a string')
    .max(MAX_EMAIL_BYTES, `must have at most ${MAX_EMAIL_BYTES} bytes`)
    .regex(EMAIL, 'must be an email address'),
  password: text({ min: MIN_PASSWORD_LENGTH }).refine(
    (password) => Buffer.byteLength(password) <= MAX_PASSWORD_BYTES,
    `must have at most ${MAX_PASSWORD_BYTES} bytes`,
  ),
})
export type Credentials = z.infer<typeof Credentials>
