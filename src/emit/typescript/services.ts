import type { Platform, Service } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { hasQueue } from '../database/jobs.ts'
import { appFile, mainFile } from './app.ts'
import { commFile } from './comm.ts'
import { configFile } from './config.ts'
import { ENDPOINTS_MODULE, endpointRoutesFile, endpointsText } from './custom-endpoints.ts'
import { entitiesFile } from './entities.ts'
import { hooksFile } from './hooks.ts'
import { JOBS_MODULE, jobsFile } from './jobs.ts'
import { metricsFile } from './metrics.ts'
import { queriesFile } from './queries.ts'
import { routesFile } from './routes.ts'
import { schemaFile } from './schema.ts'
import { serviceScope } from './scope.ts'
import { userFiles } from './user-files.ts'

/** The files of a service. */
export function serviceFiles(platform: Platform, service: Service): GeneratedFile[] {
  const scope = serviceScope(platform, service)
  const emitted: [string, string][] = [
    ['app.ts', appFile(scope)],
    ...(service.calls.length > 0
      ? [['comm.ts', commFile(platform, service)] satisfies [string, string]]
      : []),
    ['config.ts', configFile(platform, service)],
    ...(service.customEndpoints.length === 0
      ? []
      : ([
          ['endpoint-routes.ts', endpointRoutesFile(scope)],
          [ENDPOINTS_MODULE, endpointsText(service)],
        ] satisfies [string, string][])),
    ['entities.ts', entitiesFile(scope)],
    ['hooks.ts', hooksFile(scope)],
    ...(hasQueue(service) ? [[JOBS_MODULE, jobsFile(service)] satisfies [string, string]] : []),
    ['main.ts', mainFile(scope)],
    ...(platform.metrics === undefined
      ? []
      : [['metrics.ts', metricsFile(service)] satisfies [string, string]]),
    ['schema.ts', schemaFile(scope)],
    ...scope.entities.flatMap((entityScope): [string, string][] => {
      const name = entityScope.entity.names.kebab
      return [
        [`queries/${name}.ts`, queriesFile(scope, entityScope)],
        ...(entityScope.entity.endpoints.length > 0
          ? [[`routes/${name}.ts`, routesFile(scope, entityScope)] satisfies [string, string]]
          : []),
      ]
    }),
  ]
  return [
    ...emitted.map(
      ([name, content]): GeneratedFile => ({
        path: `${service.directory}/src/${name}`,
        content,
        owner: 'generated',
      }),
    ),
    ...userFiles(scope),
  ]
}
