import type { GeneratedFile } from '../emit/contract.ts'
import { schemaSnapshot } from '../emit/database/snapshot.ts'
import type { Deployment, Names, Platform } from '../model/platform.ts'
import { type Json, stableJson } from '../output/json.ts'
import type { DatabaseSchema } from './databases.ts'

/** A service as it is to run: what there is to know of it besides its files on the disk. */
export interface Deployable {
  readonly directory: string
  readonly schema: DatabaseSchema
  /** The services whose second port it calls: the variable that holds the address, and the directory. */
  readonly calls: readonly (readonly [variable: string, directory: string])[]
  /** Dependencies that it has from generation: those that Portico brings. */
  readonly generatedDependencies: Readonly<Record<string, string>>
  /** Two are equal exactly when nothing that generation determines differs. */
  readonly fingerprint: string
}

/** Every service of a platform with the files that generation gives it, the authentication service first. */
export function deployables(platform: Platform, files: readonly GeneratedFile[]): Deployable[] {
  const { authentication, services } = platform
  const snapshots = new Map(
    schemaSnapshot(platform).databases.map((database) => [
      database.directory,
      stableJson(database.tables as unknown as Json),
    ]),
  )
  const all: (Deployment & { names: Names; calls?: Platform['services'][number]['calls'] })[] = [
    ...(authentication === undefined ? [] : [authentication]),
    ...services,
  ]
  return all.map(({ directory, databaseDirectory, database, calls = [] }) => {
    const own = files.filter(({ path, owner }) => owner !== 'user' && path.startsWith(`${directory}/`))
    const content = (path: string) => files.find((file) => file.path === path)?.content ?? ''
    const schema: DatabaseSchema = {
      service: directory,
      database,
      sql: content(`${databaseDirectory}/init.sql`),
      snapshot: snapshots.get(databaseDirectory) ?? '',
    }
    return {
      directory,
      schema,
      calls: calls.map((target) => [`${target.names.snake.toUpperCase()}_INTERNAL_URL`, target.directory]),
      generatedDependencies: dependenciesOf(content(`${directory}/package.json`)),
      fingerprint: JSON.stringify([schema, calls, own.map(({ path, content: text }) => [path, text])]),
    }
  })
}

function dependenciesOf(packageJson: string): Readonly<Record<string, string>> {
  if (packageJson === '') return {}
  return (JSON.parse(packageJson) as { dependencies?: Record<string, string> }).dependencies ?? {}
}
