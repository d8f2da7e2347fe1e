import type { Platform, Service } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { hasQueue } from '../database/jobs.ts'
import { endpointsFile } from './endpoints.ts'
import { endpointsRoutesFile } from './endpoints-routes.ts'
import { entityFile } from './entity.ts'
import { envFile } from './env.ts'
import { jobsFile } from './jobs.ts'
import { mainFile } from './main.ts'
import { queriesFile } from './queries.ts'
import { routesFile } from './routes.ts'
import { serviceScope } from './scope.ts'
import { userFiles } from './user-files.ts'

/** The files of a service, which are one package. */
export function serviceFiles(platform: Platform, service: Service): GeneratedFile[] {
  const scope = serviceScope(platform, service)
  const emitted: [string, string][] = [
    ['main.go', mainFile(scope)],
    ['env.go', envFile(scope)],
    ...(service.customEndpoints.length === 0
      ? []
      : ([
          ['endpoints.go', endpointsFile(scope)],
          ['endpoints_routes.go', endpointsRoutesFile(scope)],
        ] satisfies [string, string][])),
    ...(hasQueue(service) ? ([['jobs.go', jobsFile(scope)]] satisfies [string, string][]) : []),
    ...scope.entities.flatMap((own): [string, string][] => [
      [`${own.names.file}.go`, entityFile(scope, own)],
      [`${own.names.file}_queries.go`, queriesFile(scope, own)],
      ...(own.entity.endpoints.length > 0
        ? [[`${own.names.file}_routes.go`, routesFile(scope, own)] satisfies [string, string]]
        : []),
    ]),
  ]
  return [
    ...emitted.map(
      ([name, content]): GeneratedFile => ({
        path: `${service.directory}/${name}`,
        content,
        owner: 'generated',
      }),
    ),
    ...userFiles(scope),
  ]
}
