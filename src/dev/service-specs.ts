import { createHash } from 'node:crypto'
import type { GeneratedFile } from '../emit/contract.ts'
import { databases } from '../emit/database/databases.ts'
import { schemaHash } from '../emit/database/hash.ts'
import { deployedServices, serviceKeyFiles } from '../model/deployed-services.ts'
import type { Language, Platform } from '../model/platform.ts'
import type { DatabaseSchema } from './databases.ts'
import { devTargetOf } from './targets.ts'

/** How to run a service: everything besides its files on disk. */
export interface ServiceSpec {
  readonly directory: string
  readonly language: Language
  /** The files and directories that it has to be reloaded for. */
  readonly sources: readonly string[]
  readonly schema: DatabaseSchema
  /** The services that it calls: the environment variable for the address, and the directory. */
  readonly calls: readonly (readonly [variable: string, directory: string])[]
  /** The files with the keys of the service. */
  readonly keys: readonly string[]
  /** Equal if and only if everything generated for the service is equal. */
  readonly fingerprint: string
}

/** Lists the services of a platform, the authentication service first. */
export function serviceSpecs(platform: Platform, files: readonly GeneratedFile[]): ServiceSpec[] {
  const schemas = new Map(databases(platform).map((database) => [database.directory, database]))
  const contents = Map.groupBy(
    files.filter(({ owner }) => owner !== 'user'),
    ({ path }) => path.slice(0, path.indexOf('/')),
  )
  return deployedServices(platform).map((deployed) => {
    const { directory, language, databaseDirectory, database, names, calls } = deployed
    const tables = schemas.get(databaseDirectory)?.tables ?? []
    const hash = schemaHash(tables)
    return {
      directory,
      language,
      sources: [...devTargetOf(language).sources(directory), `${directory}/.env`],
      schema: {
        service: directory,
        name: names.declared,
        database,
        migrations: `${databaseDirectory}/migrations`,
        tables,
        hash,
      },
      calls: calls.map((target) => [target.urlVariable, target.directory]),
      keys: serviceKeyFiles(deployed),
      fingerprint: JSON.stringify([hash, calls, digest(contents.get(directory) ?? [])]),
    }
  })
}

function digest(files: readonly GeneratedFile[]): string {
  const hash = createHash('sha256')
  for (const { path, content } of files) hash.update(`${path}\0${content.length}\0`).update(content)
  return hash.digest('hex')
}
