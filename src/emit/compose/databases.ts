import type { DatabaseServer, Sharing } from '../../model/database-servers.ts'
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
  ADMIN_SECRETS,
  databaseSecrets,
  INIT_SCRIPTS_PATH,
  initialDatabase,
  POSTGRES_IMAGE,
  POSTGRES_USER,
  postgresCheck,
  postgresCommand,
  postgresEnvironment,
  SECRETS_PATH,
  setupEnvironment,
} from '../images/containers.ts'

/** How long the first start, which creates the cluster, may take in seconds. */
const START_PERIOD_S = 120
/** How long the server may take to shut down in seconds. */
const STOP_S = 60
/** The environment variable with the URL of an external database, which replaces the container. */
export function databaseUrlVariable({ variablePrefix }: DeployedService): string {
  return `${variablePrefix}_DATABASE_URL`
}

/** The Postgres of one service or of all, on a network that only they share. */
export function databaseContainer(
  server: DatabaseServer,
  pace: HealthCheckIntervals,
  first: boolean,
): YamlObject {
  const { name, services, memory, sharing } = server
  const database = initialDatabase(server)
  const profiles = flow([externalProfile(services)])
  return {
    image: POSTGRES_IMAGE,
    profiles: first
      ? commented('Leaves the container out if the environment names an external database.', profiles)
      : profiles,
    user: `${POSTGRES_USER}:${POSTGRES_USER}`,
    networks: flow([name]),
    command: flow(postgresCommand(sharing)),
    environment: postgresEnvironment(server),
    volumes: [
      `${name}-data:/var/lib/postgresql`,
      secretsMount(name, SECRETS_PATH),
      ...(sharing === undefined
        ? [mount('./postgres/create-role.sh', `${INIT_SCRIPTS_PATH}/create-role.sh`)]
        : []),
    ],
    healthcheck: healthCheck(pace, START_PERIOD_S, ['CMD', ...postgresCheck(database)]),
    stop_grace_period: `${STOP_S}s`,
    ...containerHardening({ memory, processes: processes(sharing) }),
    tmpfs: ['/tmp:size=64m,mode=1777,noexec,nosuid,nodev', '/var/run/postgresql:uid=999,gid=999,mode=755'],
  }
}

/** Key of the container that creates the databases of a shared server. No directory has a dot in its name. */
export function setupContainerName({ name }: DatabaseServer): string {
  return `${name}.setup`
}

/** Creates the databases that a shared server does not have yet, each time before migrations run. */
export function setupContainer({ name, services }: DatabaseServer, sharing: Sharing): YamlObject {
  return {
    image: POSTGRES_IMAGE,
    profiles: flow([externalProfile(services)]),
    user: `${POSTGRES_USER}:${POSTGRES_USER}`,
    networks: flow([name]),
    entrypoint: flow(['bash', '/create-databases.sh']),
    environment: {
      DATABASES: services
        .map((deployed) => `\${${databaseUrlVariable(deployed)}:+external:}${deployed.database}`)
        .join(' '),
      ...setupEnvironment(name, sharing),
    },
    volumes: [
      secretsMount(name, `${SECRETS_PATH}/${ADMIN_SECRETS}`),
      ...services.map(({ databaseDirectory, database }) =>
        secretsMount(databaseDirectory, `${SECRETS_PATH}/${databaseSecrets(database)}`),
      ),
      mount('./postgres/create-databases.sh', '/create-databases.sh'),
    ],
    depends_on: { [name]: flow({ condition: 'service_healthy' }) },
    healthcheck: flow({ disable: true }),
    ...containerHardening({ memory: 128, processes: 64 }),
    restart: 'no',
  }
}

/** A profile that is not active if all databases of a server are external. */
function externalProfile(services: readonly DeployedService[]): string {
  return services.reduceRight(
    (profile, deployed) => `\${${databaseUrlVariable(deployed)}:+${profile}}`,
    'external',
  )
}

/** Each connection is a process. */
function processes(sharing: Sharing | undefined): number {
  return Math.max(256, (sharing?.maxConnections ?? 0) + 64)
}
