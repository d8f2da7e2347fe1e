import { schemaHash } from '../database/hash.ts'
import { hasQueue } from '../database/jobs.ts'
import { serviceTables } from '../database/service-tables.ts'
import type { DeployedService } from '../../model/deployed-services.ts'
import { requestTypes } from '../../model/metrics.ts'
import { goFile } from './go-file.ts'
import { literal, quoted } from './layout.ts'
import { goPath } from './routes.ts'
import type { ServiceScope } from './scope.ts'

/** `main.go`: the entry point of a service. */
export function mainFile({ platform, service, module, authenticated }: ServiceScope): string {
  const file = goFile(module, 'main')
  const shared = file.internal('platform')
  const context = file.use('context')
  const hash = schemaHash(serviceTables(platform, service))
  const tokens = authenticated
    ? `			tokens, err := ${shared}.WatchTokens(ctx, config.CredentialsFile, parts.Log)
			if err != nil {
				return nil, err
			}
`
    : ''
  const identify = authenticated ? ', tokens.Require' : ''
  const env = 'newEnv(config, settings, parts)'
  const report =
    platform.metrics === undefined
      ? ''
      : `\t\t\tenv.queue.Report(parts.Metrics, ${quoted(service.names.snake)})\n`
  const start = hasQueue(service)
    ? `			env := ${env}
			api, err := newAPI(ctx, env${identify})
			if err != nil {
				return nil, err
			}
${report}			return api, env.queue.Start(ctx)`
    : `			return newAPI(ctx, ${env}${identify})`
  const metrics = platform.metrics === undefined ? '' : ', Metrics: metrics'
  return file.text([
    `// schemaHash identifies the schema that ${service.databaseDirectory}/migrations leads to.
const schemaHash = "${hash}"`,
    ...(platform.metrics === undefined ? [] : [metricsVariable(service)]),
    `func main() {
	${shared}.Run(func(environment *${shared}.Environment) (${shared}.Service, error) {
		config, settings := readConfig(environment), readSettings(environment)
		service := ${shared}.Service{Name: "${service.directory}", SchemaHash: schemaHash, Config: config.Config${metrics}}
		service.Start = func(ctx ${context}.Context, parts ${shared}.Parts) (*${shared}.API, error) {
${tokens}${start}
		}
		return service, environment.Err()
	})
}`,
  ])
}

/** What a service reports to Prometheus. */
export function metricsVariable(deployed: DeployedService): string {
  const types = requestTypes(deployed).map(
    ({ method, path, name }) => [quoted(`${method} ${goPath(path)}`), quoted(name)] as const,
  )
  return `// metrics is what \`/metrics\` reports.\nvar metrics = ${literal('&platform.Metrics', [
    ['Prefix', quoted(deployed.names.snake)],
    ['RequestTypes', literal('map[string]string', types)],
  ])}`
}
