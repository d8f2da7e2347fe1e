import type { Drizzle } from './database.ts'
import * as httpProxy2Statements from './statements/http-proxy2.ts'
import * as tlsCertStatements from './statements/tls-cert.ts'

/** Makes the statements on everything that the service stores. */
export function prepareStatements(drizzle: Drizzle) {
  return {
    httpProxy2: httpProxy2Statements.prepare(drizzle),
    tlsCert: tlsCertStatements.prepare(drizzle),
  }
}

export type Statements = ReturnType<typeof prepareStatements>
