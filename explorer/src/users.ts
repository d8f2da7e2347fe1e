import { urlOf } from './base.ts'
import { createStore } from './store.ts'

/** A user that was registered with this page. */
export interface User {
  readonly name: string
  readonly email: string
  readonly password: string
  readonly token: string
}

/** The registered users, and the one that requests are sent as. */
export interface Users {
  readonly known: readonly User[]
  /** The email of the current user; `undefined` to send requests without a token. */
  readonly current: string | undefined
}

const KEY = 'portico-users'
const NAMES = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gina', 'Hugo', 'Iris', 'Jon', 'Kira', 'Leo']

/** The users of this tab, in its session storage, which the reference in its frame reads too. */
export const users = createStore<Users>(readUsers())

users.subscribe(() => sessionStorage.setItem(KEY, JSON.stringify(users.get())))

/** Returns the users in the session storage. */
export function readUsers(): Users {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '') as Users
  } catch {
    return { known: [], current: undefined }
  }
}

/** Returns the current user. */
export function currentUser({ known, current }: Users): User | undefined {
  return known.find(({ email }) => email === current)
}

/** The name of a user, and the roles in the token: `Ada (agent)`. */
export function labelOf({ name, token }: User): string {
  const payload = token.split('.')[1] ?? ''
  const { roles = [] } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as {
    roles?: readonly string[]
  }
  return roles.length === 0 ? name : `${name} (${roles.join(', ')})`
}

/** Makes this user the current one, or none. */
export function switchTo(email: string | undefined): void {
  users.set({ ...users.get(), current: email })
}

/**
 * Registers a new user with the authentication service and makes it the current one. Its token carries the role if
 * there is one, which the server of `portico dev` gives.
 *
 * @throws Error with a message for the reader
 */
export async function registerUser(authenticationPath: string, role?: string): Promise<User> {
  const { known } = users.get()
  const name = nextName(known.length)
  const password = random(18)
  const email = `${name.toLowerCase()}-${random(5).toLowerCase()}@example.com`
  const credentials = JSON.stringify({ email, password })
  const registered = await requestToken(
    `${authenticationPath}/register`,
    { 'content-type': 'application/json' },
    credentials,
  )
  const token =
    role === undefined
      ? registered
      : await requestToken(`/_explorer/roles/${role}`, { authorization: `Bearer ${registered}` })
  const user = { name, email, password, token }
  users.set({ known: [...known, user], current: email })
  return user
}

async function requestToken(path: string, headers: Record<string, string>, body?: string): Promise<string> {
  const response = await fetch(urlOf(path), { method: 'POST', headers, ...(body !== undefined && { body }) })
  const content = (await response.json().catch(() => ({}))) as Readonly<Record<string, string>>
  const token = content['AccessToken']
  if (response.ok && typeof token === 'string') return token
  const reason = content['error'] ?? content['message'] ?? response.statusText
  throw new Error(`Could not register a user: ${response.status} ${reason}`)
}

function nextName(count: number): string {
  const round = Math.floor(count / NAMES.length)
  return `${NAMES[count % NAMES.length] ?? 'User'}${round === 0 ? '' : round + 1}`
}

/** Encodes this many random bytes as letters and digits. */
function random(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(36).padStart(2, '0'))
    .join('')
}
