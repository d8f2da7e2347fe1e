import type { Platform } from '../../../model/platform.ts'
import { queryNames } from '../../../model/custom-endpoints.ts'
import type { GeneratedFile } from '../../contract.ts'
import { readTemplate } from '../../codegen/templates.ts'
import { servicesWithEndpoints, clientFile, indexFile } from './client-file.ts'
import { packageFiles } from './package-files.ts'
import { readme } from './readme.ts'
import { serviceFile } from './service-file.ts'
import { clientTypeNames } from './type-names.ts'
import { entitiesOf, hasOperation } from '../../../model/entities.ts'

/** All files of an npm package with a client for a platform, sorted by path. */
export function typescriptClient(platform: Platform): GeneratedFile[] {
  const types = clientTypeNames(platform)
  const services = servicesWithEndpoints(platform)
  const entities = services.flatMap(entitiesOf)
  const endpoints = services.flatMap(({ customEndpoints }) => customEndpoints)
  const attributes = [
    ...entities.flatMap((entity) => entity.attributes),
    ...endpoints.flatMap((endpoint) => [
      ...endpoint.requestAttributes,
      ...(endpoint.response.kind === 'object' ? endpoint.response.attributes : []),
    ]),
  ]
  const hasData = attributes.some(
    ({ type, inRequest, inResponse }) => type.kind === 'data' && (inRequest || inResponse),
  )
  const hasPages = endpoints.some(({ response }) => response.kind === 'list')
  const hasLists = hasPages || entities.some((entity) => hasOperation(entity, 'list'))
  const fixed = [
    'connection',
    'result',
    ...(hasLists ? ['pages'] : []),
    ...(endpoints.some((endpoint) => queryNames(endpoint).length > 0) ? ['query'] : []),
    ...(hasPages ? ['endpoint-pages'] : []),
    ...(hasData ? ['base64'] : []),
    ...(platform.authentication === undefined ? [] : ['session']),
  ]
  const files: [path: string, content: string][] = [
    ['README.md', readme(platform, hasData)],
    ['src/index.ts', indexFile(platform, { hasData, hasLists })],
    ['src/client.ts', clientFile(platform, types)],
    ...fixed.map((name): [string, string] => [
      `src/${name}.ts`,
      readTemplate(`client/typescript/src/${name}.ts`),
    ]),
    ...services.map((service): [string, string] => [
      `src/services/${service.names.kebab}.ts`,
      serviceFile(platform, service, types),
    ]),
  ]
  const generated = files.map(([path, content]): GeneratedFile => ({ path, content, owner: 'generated' }))
  return [...generated, ...packageFiles(platform)].sort((a, b) => (a.path < b.path ? -1 : 1))
}
