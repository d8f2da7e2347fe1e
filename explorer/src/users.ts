import { createStore } from './store.ts'

/** Somebody who was registered through this page. */
export interface User {
  readonly name: string
  readonly email: string
  readonly password: string
  readonly token: string
}

/** Who there is, and as whom requests are sent. */
export interface Users {
  readonly known: readonly User[]
  /** Email of the one who sends; `undefined` for nobody. */
  readonly current: string | undefined
}

const KEY = 'portico-users'
const NAMES = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gina', 'Hugo', 'Iris', 'Jon', 'Kira', 'Leo']

/** Kept for as long as the tab lives: the reference, in a frame of it, reads them too. */
export const users = createStore<Users>(readUsers())

users.subscribe(() => sessionStorage.setItem(KEY, JSON.stringify(users.get())))

/** What the tab remembers. */
export function readUsers(): Users {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '') as Users
  } catch {
    return { known: [], current: undefined }
  }
}

/** The one who sends requests. */
export function currentUser({ known, current }: Users): User | undefined {
  return known.find(({ email }) => email === current)
}

/** From now on requests are sent as this user, or as nobody. */
export function switchTo(email: string | undefined): void {
  users.set({ ...users.get(), current: email })
}

/** Registers somebody new at the authentication service and switches to them. Throws with a sentence. */
export async function registerUser(authenticationPath: string): Promise<User> {
  const { known } = users.get()
  const name = nextName(known.length)
  const password = random(18)
  const email = `${name.toLowerCase()}-${random(5).toLowerCase()}@example.com`
  const response = await fetch(`${authenticationPath}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const answer = (await response.json().catch(() => ({}))) as Readonly<Record<string, string>>
  const token = answer['AccessToken']
  if (!response.ok || typeof token !== 'string') {
    const reason = answer['error'] ?? answer['message'] ?? response.statusText
    throw new Error(`Nobody was registered: ${response.status} ${reason}`)
  }
  const user = { name, email, password, token }
  users.set({ known: [...known, user], current: email })
  return user
}

function nextName(count: number): string {
  const round = Math.floor(count / NAMES.length)
  return `${NAMES[count % NAMES.length] ?? 'User'}${round === 0 ? '' : round + 1}`
}

/** Letters and digits of this many random bytes. */
function random(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(36).padStart(2, '0'))
    .join('')
}
