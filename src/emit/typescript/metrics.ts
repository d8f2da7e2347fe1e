import type { DeployedService } from '../../model/deployed-services.ts'
import { requestTypes } from '../../model/metrics.ts'
import type { Struct } from '../../model/platform.ts'
import { codeFile } from '../codegen/code-file.ts'
import { call, code, object } from '../codegen/layout.ts'
import { honoPath } from './routes.ts'

/** `metrics.ts`: what the service reports to Prometheus. */
export function metricsFile(deployed: DeployedService): string {
  const file = codeFile('metrics.ts')
  const structs: readonly Struct[] = 'structs' in deployed ? deployed.structs : []
  const names = requestTypes(deployed).map(({ method, path, name, entity }) => {
    const route = honoPath(
      structs.find((struct) => struct === entity),
      path,
    )
    return `'${method} ${route}': '${name}'`
  })
  const create = file.value('#lib/metrics.ts', 'createMetrics')
  return file.text(code`/** What \`/metrics\` reports. The object has the \`request_type\` of each route. */
export const metrics = ${call(create, `'${deployed.names.snake}'`, object(names))}`)
}
