import type { DatabaseServer } from '../../model/database-servers.ts'
import type { DeployedService } from '../../model/deployed-services.ts'
import { type YamlObject, flow } from '../codegen/yaml.ts'
import {
  type HealthCheckIntervals,
  healthCheck,
  containerHardening,
  secretsMount,
} from './container-settings.ts'
import { databaseUrlVariable, setupContainerName } from './databases.ts'
import { DEFAULT_DOCKERFILE } from '../images/containers.ts'
import { serviceMemory, targetOf } from '../targets.ts'
import { imageName } from './image-name.ts'

/** A service runs setup.ts before it is ready. */
const START_PERIOD_S = 120
/** Longer than the 12 s in which a service finishes open requests. */
const STOP_S = 20

/** Passed on if they are set. Otherwise a value in `<service>/.env` applies. */
const PASSED_ON = [
  'LOG_LEVEL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_TRACES_SAMPLER_ARG',
]

/** Key of the container that migrates a service's database. No directory has a dot in its name. */
export function migrationContainerName({ directory }: DeployedService): string {
  return `${directory}.migrate`
}

/** A service, which reaches the other services and its own database. */
export function serviceContainer(
  project: string,
  deployed: DeployedService,
  server: DatabaseServer,
  pace: HealthCheckIntervals,
): YamlObject {
  const { directory, databaseDirectory, connections } = deployed
  const { dockerfile, variables } = targetOf(deployed).image
  const passedOn = Object.fromEntries(variables.map((name) => [name, `\${${name}:-}`]))
  return {
    image: imageName(project, directory),
    build: flow({
      context: '.',
      ...(dockerfile !== DEFAULT_DOCKERFILE && { dockerfile }),
      args: { SERVICE: directory, DATABASE: databaseDirectory, ...passedOn },
    }),
    scale: replicas(deployed),
    ...environment(deployed, server, {
      DATABASE_POOL_SIZE: connections,
      ...Object.fromEntries(PASSED_ON.map((name) => [name, null])),
      // The authentication service tells clients apart by the address that the gateway counts them by.
      ...(!('entity' in deployed) && { TRUSTED_PROXIES: `\${TRUSTED_PROXIES:-}` }),
    }),
    networks: flow(['default', server.name]),
    depends_on: {
      [migrationContainerName(deployed)]: flow({ condition: 'service_completed_successfully' }),
    },
    healthcheck: healthCheck(pace, START_PERIOD_S),
    stop_grace_period: `${STOP_S}s`,
    ...containerHardening({ memory: serviceMemory(deployed), processes: 256 }),
  }
}

/** Applies the migrations of a service's database, each time before the service starts. */
export function migrationContainer(
  project: string,
  deployed: DeployedService,
  server: DatabaseServer,
): YamlObject {
  const { directory, databaseDirectory } = deployed
  return {
    image: imageName(project, directory),
    // Not a command, so that `docker compose run` can add options.
    entrypoint: flow([...targetOf(deployed).image.migrations, directory, databaseDirectory]),
    ...environment(deployed, server, {}),
    networks: flow(['default', server.name]),
    depends_on:
      server.sharing === undefined
        ? { [server.name]: flow({ condition: 'service_healthy', required: false }) }
        : {
            [setupContainerName(server)]: flow({
              condition: 'service_completed_successfully',
              required: false,
            }),
          },
    healthcheck: flow({ disable: true }),
    ...containerHardening({ memory: 512, processes: 64 }),
    restart: 'no',
  }
}

/** The number of containers that `./deploy.sh scale` has set, even before the service was renamed. */
function replicas({ names, variablePrefix }: DeployedService): string {
  const variables = new Set([names.snake.toUpperCase(), variablePrefix].map((prefix) => `${prefix}_REPLICAS`))
  return [...variables].reduceRight((fallback, name) => `\${${name}:-${fallback}}`, '1')
}

function environment(deployed: DeployedService, server: DatabaseServer, more: YamlObject): YamlObject {
  const { database, secretsDirectory } = deployed
  return {
    // What deploy.sh makes of `<service>/.env`, which Compose would not read as Node does.
    env_file: [flow({ path: `./.secrets/${secretsDirectory}/env`, required: false })],
    environment: {
      DATABASE_URL: `\${${databaseUrlVariable(deployed)}:-postgres://${database}@${server.name}:5432/${database}}`,
      DATABASE_PASSWORD_FILE: '/run/secrets/database-password',
      ...more,
    },
    volumes: [secretsMount(secretsDirectory, '/run/secrets')],
  }
}
