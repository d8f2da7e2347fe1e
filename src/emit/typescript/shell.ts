import type { GeneratedFile } from '../contract.ts'
import { readTemplate } from '../kit/templates.ts'

/** What every service has, whatever it serves. */
const EVERY_SERVICE = [
  'database-errors.ts',
  'database.ts',
  'environment.ts',
  'internal.ts',
  'log.ts',
  'main.ts',
  'module-resolution.ts',
  'server.ts',
]
const WITH_AUTHENTICATION = ['credentials.ts', 'identity.ts']

/** The files of a service's `src/` that are the same in all services. */
export function shellFiles(directory: string, authenticated: boolean): GeneratedFile[] {
  return copies(directory, authenticated ? [...EVERY_SERVICE, ...WITH_AUTHENTICATION] : EVERY_SERVICE)
}

/** Copies of templates, named by their path below `templates/typescript/src/`. */
export function copies(directory: string, names: readonly string[]): GeneratedFile[] {
  return names.map((name) => ({
    path: `${directory}/src/${name}`,
    content: readTemplate(`typescript/src/${name}`),
    owner: 'generated',
  }))
}
