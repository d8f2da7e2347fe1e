import type { Platform } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { databases } from './databases.ts'
import { schemaScript } from './sql.ts'

/** `<service>-db/init.sql` of every service. */
export function emitDatabases(platform: Platform): GeneratedFile[] {
  return databases(platform).map(({ directory, service, tables }) => ({
    path: `${directory}/init.sql`,
    content: schemaScript(
      `The schema of ${service}: run once, in an empty database, by the role that owns it.`,
      tables,
    ),
    owner: 'generated',
  }))
}
