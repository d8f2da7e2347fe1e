import { readdirSync } from 'node:fs'
import { databases } from '../../../src/emit/database/databases.ts'
import { schemaHash } from '../../../src/emit/database/hash.ts'
import { initialMigration } from '../../../src/emit/migrations/initial.ts'
import type { GeneratedFile } from '../../../src/emit/contract.ts'
import { emitProject } from '../../../src/emit/project.ts'
import { readTemplate } from '../../../src/emit/codegen/templates.ts'
import { authenticationFiles } from '../../../src/emit/typescript/authentication.ts'
import type { Platform } from '../../../src/model/platform.ts'
import { platformOf, testLanguage } from '../platform.ts'

const platform = platformOf('Shop: project { #authMethod(email); } Member: service { name: string; #auth; }')
const [database] = databases(platform)

/** The tables of the authentication service. */
export const authTables = database?.tables ?? []

const lib = readdirSync(new URL('../../../templates/typescript/lib', import.meta.url)).map(
  (name): GeneratedFile => ({
    path: `lib/${name}`,
    content: readTemplate(`typescript/lib/${name}`),
    owner: 'generated',
  }),
)

/** The files of the authentication service of a platform and those that it needs. */
export function filesFor(authenticated: Platform): readonly GeneratedFile[] {
  if (testLanguage() === 'go') return emitProject(authenticated)
  const [{ tables } = { tables: [] }] = databases(authenticated)
  return [
    { path: 'package.json', content: '{"type":"module","imports":{"#lib/*":"./lib/*"}}', owner: 'shared' },
    ...lib,
    {
      path: 'auth-db/migrations/0001_initial.sql',
      content: initialMigration({ service: 'Auth', tables }, schemaHash(tables)),
      owner: 'generated',
    },
    ...(authenticated.authentication === undefined
      ? []
      : authenticationFiles(authenticated, authenticated.authentication)),
  ]
}

/** The files without roles; nothing else in the definition changes them. */
export const authFiles = filesFor(platform)
