import type { Authentication, Platform, Service } from '../../model/platform.ts'

/** A container that reads secrets, and the volume that it alone reads. */
export interface SecretReader {
  /** Key of the volume in compose.yaml. */
  readonly volume: string
  /** What the container is to the platform: this says which files it gets. */
  readonly role: 'service' | 'database' | 'gateway'
  /** Directory of the service, whose own or whose database's volume it is; `gateway` for the gateway. */
  readonly directory: string
}

/** A service that runs in containers, with a database of its own. */
export type Deployed = Authentication | Service

/** Everything that deploys of a platform: the authentication service first, then the services as declared. */
export function deployments({ authentication, services }: Platform): readonly Deployed[] {
  return authentication === undefined ? services : [authentication, ...services]
}

/** One volume for each container that has secrets; the gateway has some where there is authentication. */
export function secretReaders(platform: Platform): readonly SecretReader[] {
  return [
    ...deployments(platform).flatMap(({ directory, databaseDirectory }): SecretReader[] => [
      { volume: `${directory}-secrets`, role: 'service', directory },
      { volume: `${databaseDirectory}-secrets`, role: 'database', directory },
    ]),
    ...(platform.authentication === undefined
      ? []
      : [{ volume: 'gateway-secrets', role: 'gateway', directory: 'gateway' } as const]),
  ]
}
