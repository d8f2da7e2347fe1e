import type { Platform, Service } from '../../../model/platform.ts'
import { type Code, code, join, LINE_WIDTH, print } from '../../kit/layout.ts'
import { docComment, documented } from '../../typescript/documentation.ts'
import { apiFunction } from './service-file.ts'
import type { ClientTypeNames } from './type-names.ts'

/** The services that have an endpoint. */
export function askedServices({ services }: Platform): Service[] {
  return services.filter(({ entity, structs }) =>
    [entity, ...structs].some(({ endpoints }) => endpoints.length > 0),
  )
}

/** `client.ts`: all services in one object. */
export function clientFile(platform: Platform, types: ClientTypeNames): string {
  const services = askedServices(platform)
  const { authentication } = platform
  const apis = services.map((service) => types.api(service))
  const parents = [...(authentication === undefined ? [] : ['Session']), ...apis]
  const options = ['ConnectionOptions', ...(authentication === undefined ? [] : ['SessionOptions'])]
  const spreads: Code[] = services.map((service) => `    ...${apiFunction(service)}(connection),`)
  const documentation = documented(
    `Everything that ${platform.names.declared} can be asked. Nothing of it throws: a request comes to a \`Result\`.`,
    platform.documentation,
  )
  const imports = [
    "import { connect, type ConnectionOptions } from './connection.js'",
    ...services.map(
      (service) =>
        `import { type ${types.api(service)}, ${apiFunction(service)} } from './services/${service.names.kebab}.js'`,
    ),
    ...(authentication === undefined
      ? []
      : ["import { createSession, type Session, type SessionOptions } from './session.js'"]),
  ]
  const start =
    authentication === undefined
      ? '  const connection = connect(options)'
      : `  const { session, authorizer } = createSession('${authentication.path}', connect(options), options)
  const connection = connect(options, authorizer)`
  return `${print(code`${imports.join('\n')}

/** How to reach the platform${authentication === undefined ? '' : ', and as whom'}. */
export interface ClientOptions extends ${options.join(', ')} {}

${docComment(documentation)}${extending('export interface Client', parents)} {}

/** Makes a client. Nothing is asked yet. */
export function createClient(options: ClientOptions): Client {
${start}
  return {
${join([...(authentication === undefined ? [] : ['    ...session,']), ...spreads], '\n')}
  }
}`)}\n`
}

/** `index.ts`: what the package exports. */
export function indexFile(
  platform: Platform,
  { hasData, hasLists }: { readonly hasData: boolean; readonly hasLists: boolean },
): string {
  const lines = [
    ...(hasData ? ["export { fromBase64, toBase64 } from './base64.js'"] : []),
    "export { type Client, type ClientOptions, createClient } from './client.js'",
    "export type { CallOptions, ConnectionOptions } from './connection.js'",
    ...(hasLists ? ["export type { ListOptions, Page, Pages } from './pages.js'"] : []),
    "export type { ApiError, ErrorKind, Failure, Result, Success } from './result.js'",
    ...askedServices(platform).map(({ names }) => `export type * from './services/${names.kebab}.js'`),
    ...(platform.authentication === undefined
      ? []
      : ["export type { Credentials, Session, SessionOptions } from './session.js'"]),
  ]
  return `${lines.join('\n')}\n`
}

/** An interface with all that it extends, as the formatter would have it. */
function extending(head: string, parents: readonly string[]): string {
  if (parents.length === 0) return head
  const line = `${head} extends ${parents.join(', ')}`
  return `${line} {}`.length <= LINE_WIDTH ? line : `${head}\n  extends ${parents.join(',\n    ')}`
}
