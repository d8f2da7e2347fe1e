import { databaseServers } from '../../model/database-servers.ts'
import { type DeployedService, deployedServices } from '../../model/deployed-services.ts'
import type { Platform } from '../../model/platform.ts'
import { ADMIN_PASSWORD, DATABASE_PASSWORD, SECRETS_PATH } from '../images/containers.ts'
import { statefulSetName } from '../kubernetes/databases.ts'
import { namespaceOf } from '../kubernetes/metadata.ts'

/** Returns the command that opens psql on the database of a service. */
export function openingCommand(platform: Platform, service: DeployedService): string {
  const { password, connection } = accessOf(platform, service)
  return `${inDatabase(platform, service, true)} bash -c '${password}; psql ${connection}'`
}

/** Returns the command that writes the database of a service to a file. */
export function backupCommand(platform: Platform, service: DeployedService): string {
  return backupIn(inDatabase(platform, service, false), platform, service)
}

/** Returns the command that replaces the database of a service by what `backupCommand` has written. */
export function restoreCommand(platform: Platform, service: DeployedService): string {
  const { password, connection, role } = accessOf(platform, service)
  // All in one transaction, which is not committed if pg_restore fails. Its option --clean leaves what later migrations
  // have created, and fails where that refers to older tables.
  const restore = `(echo "BEGIN; DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION pg_database_owner;" && pg_restore -f - && echo "COMMIT;") | ${role}psql ${connection} -q -o /dev/null -v ON_ERROR_STOP=1`
  return `${inDatabase(platform, service, false)} bash -o pipefail -c '${password}; ${restore}' < ${service.database}.dump`
}

/**
 * Returns the commands that move the databases of a deployed platform, in the directory of the generated project.
 *
 * @param previous the platform as it is deployed
 * @param platform the same with another `#database(server: ...)`
 */
export function moveCommands(previous: Platform, platform: Platform): string[] {
  const deployed = new Set(deployedServices(previous).map(({ database }) => database))
  const services = deployedServices(platform).filter(({ database }) => deployed.has(database))
  const former = databaseServers({ ...platform, databaseServer: previous.databaseServer }).filter((server) =>
    server.services.some((service) => services.includes(service)),
  )
  const onKubernetes = platform.provider === 'kube'
  const kubectl = `kubectl -n ${namespaceOf(platform)}`
  const workloads = ['gateway', ...services.map(({ directory }) => directory)]
  const deployments = workloads.map((name) => `deployment/${name}`).join(' ')
  const container = (name: string) => `${platform.names.kebab}-${name}-1`
  return [
    ...(onKubernetes
      ? [
          `${kubectl} scale ${deployments} --replicas 0`,
          `${kubectl} wait pods --selector app.kubernetes.io/component=service --for=delete --timeout 2m`,
        ]
      : [`docker compose stop ${workloads.join(' ')}`]),
    ...former.flatMap((server) =>
      server.services
        .filter((service) => services.includes(service))
        .map((service) =>
          backupIn(
            onKubernetes
              ? `${kubectl} exec statefulset/${statefulSetName(server)} --`
              : `docker exec ${container(server.name)}`,
            previous,
            service,
          ),
        ),
    ),
    './deploy.sh migrate',
    ...services.map((service) => restoreCommand(platform, service)),
    ...(onKubernetes
      ? [
          `${kubectl} delete statefulset ${former.map(statefulSetName).join(' ')}`,
          `${kubectl} scale ${deployments} --replicas 1`,
        ]
      : [`docker rm --force ${former.map(({ name }) => container(name)).join(' ')}`]),
    'source deploy.sh',
  ]
}

/** A backup by a command that runs others where the server of the database runs. */
function backupIn(inServer: string, platform: Platform, service: DeployedService): string {
  const { password, connection } = accessOf(platform, service)
  return `${inServer} bash -o pipefail -c '${password}; pg_dump ${connection} -Fc' > ${service.database}.dump`
}

/** The command that runs another one in the container of a service's database. */
function inDatabase(platform: Platform, service: DeployedService, isInteractive: boolean): string {
  const { databaseDirectory } = service
  const server = databaseServers(platform).find(({ services }) =>
    services.some((each) => each.databaseDirectory === databaseDirectory),
  )
  return platform.provider === 'kube'
    ? `kubectl -n ${namespaceOf(platform)} exec ${isInteractive ? '-it' : '-i'} service/${databaseDirectory} --`
    : `docker compose exec ${isInteractive ? '' : '-T '}${server?.name}`
}

/** How to connect within the container: on a shared server as its superuser, whose password it has. */
function accessOf({ databaseServer }: Platform, { database }: DeployedService) {
  const isShared = databaseServer === 'shared'
  const user = isShared ? 'postgres' : database
  const file = `${SECRETS_PATH}/${isShared ? ADMIN_PASSWORD : DATABASE_PASSWORD}`
  return {
    password: `export PGPASSWORD=$(cat ${file})`,
    connection: `-h 127.0.0.1 -U ${user} -d ${database}`,
    // What the superuser creates belongs to the service.
    role: isShared ? `PGOPTIONS="-c role=${database}" ` : '',
  }
}
