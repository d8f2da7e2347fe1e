import type { DeployedService } from '../../model/deployed-services.ts'
import { type YamlObject, commented, flow } from '../codegen/yaml.ts'
import {
  type HealthCheckIntervals,
  healthCheck,
  mount,
  containerHardening,
  secretsMount,
} from './container-settings.ts'
import {
  POSTGRES_COMMAND,
  POSTGRES_IMAGE,
  POSTGRES_USER,
  postgresCheck,
  postgresEnvironment,
  SECRETS_PATH,
} from '../images/containers.ts'

/** How long the first start, which creates the cluster, may take in seconds. */
const START_PERIOD_S = 120
/** How long the server may take to shut down in seconds. */
const STOP_S = 60
/** The environment variable with the URL of an external database, which replaces the container. */
export function databaseUrlVariable({ variablePrefix }: DeployedService): string {
  return `${variablePrefix}_DATABASE_URL`
}

/** The database of a service, on a network that only this service shares. */
export function databaseContainer(
  deployed: DeployedService,
  pace: HealthCheckIntervals,
  first: boolean,
): YamlObject {
  const { databaseDirectory, database } = deployed
  const profiles = flow([`\${${databaseUrlVariable(deployed)}:+external}`])
  return {
    image: POSTGRES_IMAGE,
    profiles: first
      ? commented('Leaves the container out if the environment names an external database.', profiles)
      : profiles,
    user: `${POSTGRES_USER}:${POSTGRES_USER}`,
    networks: flow([databaseDirectory]),
    command: flow(POSTGRES_COMMAND),
    environment: postgresEnvironment(database),
    volumes: [
      `${databaseDirectory}-data:/var/lib/postgresql`,
      secretsMount(databaseDirectory, SECRETS_PATH),
      mount('./postgres/create-role.sh', '/docker-entrypoint-initdb.d/create-role.sh'),
    ],
    healthcheck: healthCheck(pace, START_PERIOD_S, ['CMD', ...postgresCheck(database)]),
    stop_grace_period: `${STOP_S}s`,
    ...containerHardening({ memory: deployed.databaseMemory, processes: 256 }),
    tmpfs: ['/tmp:size=64m,mode=1777,noexec,nosuid,nodev', '/var/run/postgresql:uid=999,gid=999,mode=755'],
  }
}
