import { requestTypes } from '../../model/metrics.ts'
import type { DeployedService } from '../../model/deployed-services.ts'
import type { Platform, Service } from '../../model/platform.ts'
import type { GeneratedFile } from '../contract.ts'
import { entityFile } from './entity.ts'
import { envFile } from './env.ts'
import { goFile } from './go-file.ts'
import { literal, quoted } from './layout.ts'
import { mainFile } from './main.ts'
import { queriesFile } from './queries.ts'
import { goPath, routesFile } from './routes.ts'
import { serviceScope } from './scope.ts'
import { userFiles } from './user-files.ts'

/** The files of a service, which are one package. */
export function serviceFiles(platform: Platform, service: Service): GeneratedFile[] {
  const scope = serviceScope(platform, service)
  const emitted: [string, string][] = [
    ['main.go', mainFile(scope)],
    ['env.go', envFile(scope)],
    ...(platform.metrics === undefined
      ? []
      : [['metrics.go', metricsFile(scope.module, service)] satisfies [string, string]]),
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

/** `metrics.go`: what the service reports to Prometheus. */
export function metricsFile(module: string, deployed: DeployedService): string {
  const file = goFile(module, 'main')
  const platform = file.internal('platform')
  const http = file.use('net/http')
  const entries = requestTypes(deployed).map(
    ({ method, path, name }) => [quoted(`${method} ${goPath(path)}`), quoted(name)] as const,
  )
  return file.text([
    `// requestTypes has the \`request_type\` of each route.\nvar requestTypes = ${literal('map[string]string', entries)}`,
    `// metrics creates what \`/metrics\` reports.
func metrics() func(source ${platform}.MetricsSource) ${http}.Handler {
	return ${platform}.NewMetrics("${deployed.names.snake}", requestTypes)
}`,
  ])
}
