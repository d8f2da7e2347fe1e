import { hasCriteria } from '../../../model/criteria.ts'
import { customOperationName, inputAttributes } from '../../../model/custom-endpoints.ts'
import { hasVersions } from '../../../model/entities.ts'
import { operationName } from '../../../model/endpoints.ts'
import type { Entity, Operation, Platform, Service } from '../../../model/platform.ts'
import { sampleValues } from '../../../model/samples.ts'
import { stringLiteral } from '../../codegen/code-file.ts'

/** An endpoint of a service's own entity, used as an example. */
interface Example {
  readonly service: Service
  readonly entity: Entity
  readonly name: string
}

/** `README.md` of the package, with examples for this platform. */
export function readme(platform: Platform, hasData: boolean): string {
  const { names, authentication } = platform
  const create = exampleOf(platform, 'create')
  const list = exampleOf(platform, 'list')
  return `${[
    `# ${names.kebab}-client`,
    `A client for ${names.declared}. It runs in browsers, Node 20 or later, Deno and Bun, and depends only on \`fetch\`.`,
    '```sh\nnpm install && npm run build\n```',
    'You can also copy `src/` into your own project. It compiles with all strict settings, with `nodenext` and with bundlers.',
    '## Usage',
    `\`\`\`ts
import { createClient } from '${names.kebab}-client'

const client = createClient({ gateway: 'http://localhost:8080' })
${authentication === undefined ? '' : `\nconst registered = await client.register({ email: 'user@example.com', password: 'correct horse battery' })\nif (!registered.ok) throw new Error(registered.error.message)\n`}${create === undefined ? '' : `\n${creation(create)}\n`}${list === undefined ? '' : `\n${listing(list)}\n`}\`\`\``,
    ...ownEndpoints(platform),
    '## Results',
    "All methods return a `Result`: `{ ok: true, value }` or `{ ok: false, error }`. They do not throw. `error.kind` is the kind of error (`invalid`, `unauthorized`, `forbidden`, `notFound`, `conflict`, `changed`, `tooLarge`, `unavailable`, `refused`, `timeout`, `aborted`, `unreachable`), `error.message` is the platform's message, and `error.status` is the HTTP status, if there was a response. `error.requestId` is its `X-Request-Id`, which the platform's logs call `requestId`.",
    ...(list === undefined
      ? []
      : [
          `\`for await\` reads a list page by page and yields a \`Result\` for each entity. \`.all()\` reads the whole list in one request, and \`.page()\` reads only the first page. With \`{ ids: [...] }\`, a list has only the entities with these ids, up to 100: with one list and one such request, you have read what the list refers to.`,
        ]),
    ...(hasCriteria(platform)
      ? [
          "Lists that can be filtered or sorted accept `{ filter: { status: 'open', 'rate[gte]': 3 }, sort: '-rate', total: true }`, with the names of their own attributes. With `total`, a page has the number of all entities.",
        ]
      : []),
    ...(hasVersions(platform)
      ? [
          'Where entities have versions, methods that change or delete one accept an entity that a create, read, update or patch returned in place of its id. They fail with `changed` if someone has changed it since. The client keeps the version beside the entity, so pass the same object, not a copy.',
        ]
      : []),
    ...(platform.services.some(({ idempotent }) => idempotent)
      ? [
          'Where the definition says `#idempotent`, each create has a key of its own. If the connection is lost, the client sends the request again, and the platform creates one entity.',
        ]
      : []),
    ...(hasData
      ? [
          'Attributes of the type `data` are base64: `toBase64(bytes)` encodes and `fromBase64(text)` decodes it.',
        ]
      : []),
    'All methods accept `{ signal, timeoutMs }` as their last argument. The default timeout is 30 seconds; change it for all requests with `createClient({ gateway, timeoutMs })`. `Infinity` turns it off.',
    ...(authentication === undefined
      ? []
      : [
          '## Authentication',
          'After `register` or `login`, the client sends the token with every request. A token is valid for 24 hours by default. When a token is rejected, the client logs in again with the same credentials and repeats the request once. If the login fails, its error is returned. `createClient({ gateway, token })` starts with the token of an earlier session (`client.token()`); `createClient({ gateway, credentials })` logs in when a request is first rejected. Credentials and token are kept only in memory, and `signOut()` removes them.',
        ]),
    '## Regenerate',
    '`portico client <definition> -o <this directory>` generates the package again. It keeps files that you added and your changes to `package.json`. If a generated file was edited by hand, it stops before it changes anything.',
  ].join('\n\n')}\n`
}

/** How endpoints that the definition declares are called, with the first one that takes anything as an example. */
function ownEndpoints({ services }: Platform): string[] {
  for (const service of services)
    for (const endpoint of service.customEndpoints) {
      const required = inputAttributes(endpoint).filter((attribute) => attribute.required)
      const names = [
        ...(endpoint.hasId ? ['id'] : []),
        ...required.map((attribute) => attribute.names.declared),
      ]
      if (names.length > 0)
        return [
          `Endpoints that the definition declares take one object with everything in their path, query or body: \`client.${customOperationName(endpoint, service)}({ ${names.join(', ')} })\`.`,
        ]
    }
  return []
}

function exampleOf({ services }: Platform, operation: Operation): Example | undefined {
  for (const service of services) {
    const { entity } = service
    const endpoint = entity.endpoints.find((candidate) => candidate.operation === operation)
    if (endpoint !== undefined) return { service, entity, name: operationName(entity, endpoint) }
  }
  return undefined
}

function creation({ entity, name }: Example): string {
  const sent = entity.attributes.filter(({ required }) => required)
  const properties = sampleValues(sent).map(
    ([{ names }, value]) => `${names.declared}: ${typeof value === 'string' ? stringLiteral(value) : value}`,
  )
  const request = properties.length === 0 ? '' : `{ ${properties.join(', ')} }`
  return `const created = await client.${name}(${request})
if (created.ok) console.log(created.value.id)
else console.error(created.error.kind, created.error.message)`
}

function listing({ name }: Example): string {
  return `for await (const result of client.${name}()) {
  if (!result.ok) throw new Error(result.error.message)
  console.log(result.value.id)
}`
}
