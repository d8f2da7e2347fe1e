import { databases } from '../../../src/emit/database/databases.ts'
import { schemaScript } from '../../../src/emit/database/sql.ts'
import { authenticationFiles } from '../../../src/emit/typescript/authentication.ts'
import { platformOf } from '../platform.ts'

const platform = platformOf('Shop: project { #authMethod(email); } Member: service { name: string; #auth; }')

/** The files of the authentication service; no definition changes them. */
export const authFiles = authenticationFiles(platform)

/** The script of its database. */
export const authSchema = databases(platform)
  .filter(({ directory }) => directory === 'auth-db')
  .map(({ service, tables }) => schemaScript(service, tables))
  .join('')
