import { docComment, withDocumentation } from '../../codegen/doc-comments.ts'
import type { Platform, Service } from '../../../model/platform.ts'
import { type Code, code, join, LINE_WIDTH, print } from '../../codegen/layout.ts'
import { apiFunction } from './service-file.ts'
import type { ClientTypeNames } from './type-names.ts'
import { entitiesOf } from '../../../model/entities.ts'

/** The services with at least one endpoint. */
export function servicesWithEndpoints({ services }: Platform): Service[] {
  return services.filter(
    (service) =>
      service.customEndpoints.length > 0 || entitiesOf(service).some(({ endpoints }) => endpoints.length > 0),
  )
}

/** `client.ts`: a client with the methods of all services. */
export function clientFile(platform: Platform, types: ClientTypeNames): string {
  const services = servicesWithEndpoints(platform)
  const { authentication } = platform
  const apis = services.map((service) => types.api(service))
  const parents = [...(authentication === undefined ? [] : ['Session']), ...apis]
  const options = ['ConnectionOptions', ...(authentication === undefined ? [] : ['SessionOptions'])]
  const spreads: Code[] = services.map((service) => `    ...${apiFunction(service)}(connection),`)
  const documentation = withDocumentation(
    `A client for ${platform.names.declared}. Methods return a \`Result\` and do not throw.`,
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

/** Options of a client. */
export interface ClientOptions extends ${options.join(', ')} {}

${docComment(documentation)}${extending('export interface Client', parents)} {}

/** Creates a client. It sends no request yet. */
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
    ...(hasLists ? ["export type { Criteria, ListOptions, Page, Pages } from './pages.js'"] : []),
    "export type { ApiError, ErrorKind, Failure, Result, Success } from './result.js'",
    ...servicesWithEndpoints(platform).map(
      ({ names }) => `export type * from './services/${names.kebab}.js'`,
    ),
    ...(platform.authentication === undefined
      ? []
      : ["export type { Credentials, Session, SessionOptions } from './session.js'"]),
  ]
  return `${lines.join('\n')}\n`
}

/** The head of an interface with its parents, laid out as the formatter would. */
function extending(head: string, parents: readonly string[]): string {
  if (parents.length === 0) return head
  const line = `${head} extends ${parents.join(', ')}`
  return `${line} {}`.length <= LINE_WIDTH ? line : `${head}\n  extends ${parents.join(',\n    ')}`
}
