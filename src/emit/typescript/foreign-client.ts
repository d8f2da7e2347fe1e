import type { Service } from '../../model/platform.ts'
import { withArticle } from '../../naming.ts'
import { responseProperty } from '../client/typescript/attributes.ts'
import { codeFile } from '../codegen/code-file.ts'
import { type Code, code, join } from '../codegen/layout.ts'
import type { GeneratedFile } from '../contract.ts'
import type { TargetPart } from '../target.ts'
import { endpointsText } from './custom-endpoints.ts'
import { requestSchemas } from './entities.ts'
import { type EntityScope, scopesOf } from './scope.ts'

/** `lib/clients/`: what `comm.ts` knows of services in other languages, which have no `entities.ts`. */
export function foreignClients({ foreign }: TargetPart): GeneratedFile[] {
  return foreign.flatMap((service) => {
    const { directory, customEndpoints } = service
    const files: readonly (readonly [string, string])[] = [
      [directory, clientFile(service)],
      ...(customEndpoints.length === 0 ? [] : [[`${directory}.endpoints`, endpointsText(service)] as const]),
    ]
    return files.map(([name, content]) => ({ path: `lib/clients/${name}.ts`, content, owner: 'generated' }))
  })
}

function clientFile(service: Service): string {
  const file = codeFile('client.ts')
  const parts = scopesOf(service).flatMap((scope) => [...requestSchemas(file, scope), publicType(scope)])
  return file.text(join(parts, '\n\n'))
}

function publicType({ entity, names }: EntityScope): Code {
  const properties = entity.attributes.filter(({ inResponse }) => inResponse).map(responseProperty)
  return code`/** What clients see of ${withArticle(entity.names.declared)}. */
export interface ${names.public} {
${['  readonly id: string', ...properties].join('\n')}
}`
}
