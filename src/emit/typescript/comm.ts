import type { Platform, Service } from '../../model/platform.ts'
import { codeFile } from '../kit/code-file.ts'
import { type Code, call, code, hang, join, object } from '../kit/layout.ts'
import { valueType } from './attributes.ts'
import { docComment, documented } from './documentation.ts'
import { typeName } from './names.ts'

/** `comm.ts`: a client for each service that this one calls. */
export function commFile(platform: Platform, service: Service): string {
  const file = codeFile('comm.ts')
  const client = file.value('service-client.ts', 'ServiceClient')
  const config = file.type('config.ts', 'Config')
  const targets = service.calls.flatMap(({ names }) =>
    platform.services.filter((other) => other.names.declared === names.declared),
  )
  const members = targets.map(({ names }) =>
    hang(
      `${names.camel}:`,
      call(`new ${client}<${typeName(names.declared)}>`, `'${names.declared}'`, `urls.${names.camel}`),
    ),
  )
  return file.text(code`${join(targets.map(answered), '\n\n')}

/** Makes the clients of the services that this one calls. */
export function createComm({ urls }: Pick<${config}, 'urls'>) {
  return ${object(members)}
}

export type Comm = Readonly<ReturnType<typeof createComm>>`)
}

/** What another service answers: base64 where it stores data. */
function answered({ names, entity }: Service): Code {
  const members = entity.attributes
    .filter((attribute) => attribute.answered)
    .map(({ names: { declared }, documentation, type }) => {
      const value = type.kind === 'data' ? 'string' : valueType(type)
      return `${docComment(documentation, 2)}  ${declared}: ${value}\n`
    })
  return `${docComment(documented(`What ${names.declared} answers; data is base64.`, entity.documentation))}export interface ${typeName(names.declared)} {
  id: string
${members.join('')}}`
}
