import type { Credentials } from './requests.ts'

// The project has no `#roles`: accounts have none, and tokens carry none.

export const rolesConfig = {}

/** What `beforeRegister` may change before the account is created. */
export type Registration = Credentials
export const registration = (request: Credentials): Registration => ({ ...request })

export const rolesOf = (_account: object, _config: object): readonly string[] => []
export const roleQueries = (_db: object) => ({})
