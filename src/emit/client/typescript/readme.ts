import { operationName } from '../../../model/operation-names.ts'
import type { Entity, Operation, Platform, Service } from '../../../model/platform.ts'
import { type SampleValue, sampleValues } from '../../../model/samples.ts'

/** An endpoint that serves as an example: of a service's own entity. */
interface Example {
  readonly service: Service
  readonly entity: Entity
  readonly name: string
}

/** `README.md` of the package: how to use it, with the names of this platform. */
export function readme(platform: Platform): string {
  const { names, authentication } = platform
  const create = exampleOf(platform, 'create')
  const list = exampleOf(platform, 'list')
  return `${[
    `# ${names.kebab}-client`,
    `A client of ${names.declared} for browsers, Node 20 or later, Deno and Bun. It needs nothing but \`fetch\`.`,
    '```sh\nnpm install && npm run build\n```',
    'Or copy `src/` into a project of your own: it compiles under every strict setting, with `nodenext` and with bundlers.',
    '## Use it',
    `\`\`\`ts
import { createClient } from '${names.kebab}-client'

const client = createClient({ gateway: 'http://localhost:8080' })
${authentication === undefined ? '' : `\nconst registered = await client.register({ email: 'somebody@example.com', password: 'correct horse battery' })\nif (!registered.ok) throw new Error(registered.error.message)\n`}${create === undefined ? '' : `\n${creation(create)}\n`}${list === undefined ? '' : `\n${listing(list)}\n`}\`\`\``,
    '## What every function gives',
    "A `Result`: `{ ok: true, value }` or `{ ok: false, error }`. Nothing throws. `error.kind` says what happened (`invalid`, `unauthorized`, `forbidden`, `notFound`, `conflict`, `tooLarge`, `unavailable`, `refused`, `timeout`, `aborted`, `unreachable`), `error.message` is the platform's own sentence, `error.status` the status, if there was an answer.",
    ...(list === undefined
      ? []
      : [
          `Lists are read page by page by \`for await\`, which gives a \`Result\` for each entity; \`.all()\` reads a list in one request, \`.page()\` its first page alone.`,
        ]),
    'Each function takes `{ signal, timeoutMs }` as its last argument. A request takes 30 seconds at most; `createClient({ gateway, timeoutMs })` changes that for all of them.',
    ...(authentication === undefined
      ? []
      : [
          '## Signing in',
          'After `register` or `login` the client sends the token with every request. A token is valid for 24 hours; when one is refused, the client signs in again with the same credentials, once, and repeats the request. `createClient({ gateway, token })` begins with a token of an earlier session (`client.token()`), `createClient({ gateway, credentials })` signs in when it is first refused. Credentials and token are kept in memory alone; `signOut()` forgets them.',
        ]),
    '## Making it anew',
    '`portico client <definition> -o <this directory>` writes it again. Files of your own and your changes to `package.json` stay; a generated file that was edited by hand stops it.',
  ].join('\n\n')}\n`
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
  const sent = entity.attributes.filter(({ requested }) => requested)
  const properties = sampleValues(sent).map(([{ names }, value]) => `${names.declared}: ${literal(value)}`)
  const request = properties.length === 0 ? '' : `{ ${properties.join(', ')} }`
  return `const created = await client.${name}(${request})
if (created.ok) console.log(created.value.id)
else console.error(created.error.kind, created.error.message)`
}

/** A value as TypeScript has it, with the quotes of the other examples. */
function literal(value: SampleValue): string {
  return typeof value === 'string' && !/['\\\n]/.test(value) ? `'${value}'` : JSON.stringify(value)
}

function listing({ name }: Example): string {
  return `for await (const result of client.${name}()) {
  if (!result.ok) throw new Error(result.error.message)
  console.log(result.value.id)
}`
}
