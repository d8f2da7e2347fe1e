import { randomBytes } from 'node:crypto'
import type { Attribute } from '../model/platform.ts'
import type { Value } from './values/value.ts'

/** What samples can be for: creates, or updates and patches, which have the same hooks. */
export const SAMPLED_OPERATIONS = ['create', 'update'] as const
export type SampledOperation = (typeof SAMPLED_OPERATIONS)[number]

/** Values that the hooks of a platform accept. Attributes without samples get generated values. */
export class Samples {
  readonly #values = new Map<string, Value[]>()
  readonly #next = new Map<string, number>()
  readonly #emails: string[] = []
  /** The password of all users; `undefined` if hooks accept any. */
  password: string | undefined

  /** Adds values of an attribute. `label`: the name of its resource. */
  add(label: string, { names }: Attribute, operation: SampledOperation, values: readonly Value[]): void {
    const key = `${label}.${names.declared} ${operation}`
    this.#values.set(key, [...(this.#values.get(key) ?? []), ...values])
  }

  /** Adds emails to register users with. Each `*` in one is replaced by random letters and digits. */
  addEmails(emails: readonly string[]): void {
    this.#emails.push(...emails)
  }

  /** All values of an attribute; none if it can have any. */
  of(label: string, { names }: Attribute, operation: SampledOperation): readonly Value[] {
    return this.#values.get(`${label}.${names.declared} ${operation}`) ?? []
  }

  /** A value of an attribute, each time the next one; `undefined` if it can have any. */
  next(label: string, attribute: Attribute, operation: SampledOperation): Value | undefined {
    const values = this.of(label, attribute, operation)
    return values[this.#count(`${label}.${attribute.names.declared} ${operation}`) % values.length]
  }

  /** Emails without `*`, each of which one user can have, who may be registered already. */
  get accounts(): readonly string[] {
    return this.#emails.filter((email) => !hasWildcard(email))
  }

  /** An email that nobody has; `undefined` if all are in `accounts`. */
  newEmail(): string | undefined {
    const patterns = this.#emails.length === 0 ? [ANY_EMAIL] : this.#emails.filter(hasWildcard)
    const pattern = patterns[this.#count('email') % patterns.length]
    return pattern?.replaceAll('*', () => randomBytes(9).toString('hex'))
  }

  #count(key: string): number {
    const count = this.#next.get(key) ?? 0
    this.#next.set(key, count + 1)
    return count
  }
}

/** `example.com` is reserved for such uses (RFC 2606). */
const ANY_EMAIL = 'portico-*@example.com'

const hasWildcard = (email: string): boolean => email.includes('*')

/** No samples: hooks accept any values. */
export const NO_SAMPLES = new Samples()
