import { AUTHENTICATION, kebabCase } from '../naming.ts'
import type { Authentication, Language, Platform, Service } from './platform.ts'

/** A service that is deployed, with its database. */
export type DeployedService = Authentication | Service

/** All services of a platform: the authentication service first, then the others in the order of the definition. */
export function deployedServices({ authentication, services }: Platform): readonly DeployedService[] {
  return authentication === undefined ? services : [authentication, ...services]
}

/** Those in one language. */
export function deployedServicesIn(platform: Platform, language: Language): DeployedService[] {
  return deployedServices(platform).filter((service) => service.language === language)
}

/**
 * The files with the keys of a service: each is known to one that reads accounts and the authentication service, and
 * proves to it who calls.
 */
export function serviceKeyFiles(deployed: DeployedService): string[] {
  const { directory, calls } = deployed
  const own = calls.some(({ isAuthentication }) => isAuthentication) ? [keyFile(directory)] : []
  return [...own, ...('readers' in deployed ? deployed.readers.map(keyFile) : [])]
}

const keyFile = (caller: string) => `${caller}.${kebabCase(AUTHENTICATION)}.key`

/** The directory of each service by that of its database, which keeps its name when the service is renamed. */
export function directoriesByDatabase(platform: Platform): ReadonlyMap<string, string> {
  return new Map(
    deployedServices(platform).map(({ directory, databaseDirectory }) => [databaseDirectory, directory]),
  )
}
