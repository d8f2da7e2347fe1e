import type { Job, Platform } from '../../model/platform.ts'
import { authenticationTables } from './authentication-tables.ts'
import { serviceTables } from './service-tables.ts'
import type { Table } from './table.ts'

/** The database of a service. */
export interface Database {
  /** Directory of its script: `home-db`. */
  readonly directory: string
  /** Declared name of its service. */
  readonly service: string
  readonly tables: readonly Table[]
  readonly jobs: readonly Job[]
}

/** The databases of a platform: first the authentication service's, then the others in the order of the definition. */
export function databases(platform: Platform): Database[] {
  const { authentication, services } = platform
  const ofServices = services.map((service) => ({
    directory: service.databaseDirectory,
    service: service.names.declared,
    tables: serviceTables(platform, service),
    jobs: service.jobs,
  }))
  if (authentication === undefined) return ofServices
  return [
    {
      directory: authentication.databaseDirectory,
      service: authentication.names.declared,
      tables: authenticationTables(authentication),
      jobs: [],
    },
    ...ofServices,
  ]
}
