import { hasBody } from '../../model/custom-endpoints.ts'
import { endpointAttributes } from '../../model/entities.ts'
import type { Service } from '../../model/platform.ts'
import { withArticle } from '../../naming.ts'
import { valueType } from './attributes.ts'
import { documented, enumTypes, fieldOf, sentFields } from './declared-attributes.ts'
import { responseFields, returnedNames } from './endpoints.ts'
import type { GoFile } from './go-file.ts'
import { call, comment, type Field, func, quoted, struct } from './layout.ts'
import { type EndpointScope, scopesOf } from './scope.ts'

/** The types and the method of a custom endpoint in the client of its service. */
export function endpointCall(file: GoFile, service: Service, own: EndpointScope, method: string): string[] {
  const { endpoint, names } = own
  const { hasId, response, requestAttributes, documentation } = endpoint
  const { declared } = endpoint.names
  const request = callFields(file, own)
  const result =
    response.kind === 'object' ? names.response : returnedNames(response.entity, scopesOf(service)).type
  const isList = response.kind === 'list'
  const sends = hasBody(endpoint) && requestAttributes.length > 0
  const verb = endpoint.method.charAt(0) + endpoint.method.slice(1).toLowerCase()
  const send = (answer: string) =>
    call('c.Send', [
      'ctx',
      `${file.use('net/http')}.Method${verb}`,
      'path',
      'caller',
      sends ? 'request' : 'nil',
      answer,
    ])
  const about = hasId ? `${declared} of ${withArticle(service.names.declared)}` : declared
  return [
    ...enumTypes(endpointAttributes(endpoint), names).map(({ text }) => text),
    ...(request.length === 0
      ? []
      : [
          `// ${names.request} is what a request to ${declared} contains.\n${struct(names.request, request)}`,
        ]),
    ...(response.kind === 'object'
      ? [
          `// ${names.response} is what ${declared} responds.\n${struct(names.response, responseFields(file, endpoint, names))}`,
        ]
      : []),
    [
      ...comment(
        `${method} calls ${about}.${isList ? ' Returns the part of the list that is asked for.' : ''}${documentation === '' ? '' : `\n\n${documentation}`}`,
      ),
      func(
        {
          receiver: 'c *Client',
          name: method,
          parameters: [
            `ctx ${file.use('context')}.Context`,
            ...(request.length === 0 ? [] : [`request ${names.request}`]),
            `caller ${file.internal('platform')}.Caller`,
          ],
          result: isList ? `([]${result}, error)` : `(response ${result}, err error)`,
        },
        [
          `path := ${callPath(file, own)}`,
          ...(isList
            ? [
                `var answer map[string][]${result}`,
                `err := ${send('&answer')}`,
                `return answer[${quoted(response.entity.listKey)}], err`,
              ]
            : [`err = ${send('&response')}`, 'return response, err']),
        ],
      ),
    ].join('\n'),
  ]
}

/** The fields of what a caller sends. Those that are not in the body have no JSON. */
function callFields(file: GoFile, { endpoint, names }: EndpointScope): Field[] {
  const { hasId, pathAttributes, requestAttributes, response } = endpoint
  const inBody = hasBody(endpoint) && requestAttributes.length > 0
  const hidden = inBody ? { tag: '`json:"-"`' } : {}
  return [
    ...(response.kind === 'list'
      ? [
          { name: 'Limit', type: '*int', ...hidden },
          { name: 'After', type: '*string', ...hidden },
        ]
      : []),
    ...(hasId ? [{ name: 'ID', type: `${file.use('github.com/google/uuid')}.UUID`, ...hidden }] : []),
    ...pathAttributes.map((attribute) => ({
      ...documented(attribute),
      name: fieldOf(names, attribute),
      type: valueType(file, attribute, names),
      ...hidden,
    })),
    ...sentFields(file, requestAttributes, names).map(({ tag, ...field }) => ({
      ...field,
      ...(inBody ? { tag } : {}),
    })),
  ]
}

/** The expression of the path of a call, with its query. */
function callPath(file: GoFile, { endpoint, names }: EndpointScope): string {
  const { path, pathAttributes, requestAttributes, response } = endpoint
  const platform = file.internal('platform')
  const fields = new Map(
    pathAttributes.map((attribute) => [attribute.names.declared, fieldOf(names, attribute)]),
  )
  const parts = path.split(/\{(\w+)\}/).flatMap((part, index) => {
    if (index % 2 === 0) return part === '' ? [] : [quoted(part)]
    return [`${platform}.PathText(request.${fields.get(part) ?? 'ID'})`]
  })
  const queried = [
    ...(response.kind === 'list'
      ? [
          ['limit', 'Limit'],
          ['after', 'After'],
        ]
      : []),
    ...(hasBody(endpoint)
      ? []
      : requestAttributes.map((attribute) => [attribute.names.declared, fieldOf(names, attribute)])),
  ].map(([name = '', field]) => `${quoted(name)}, request.${field}`)
  const text = parts.join(' + ')
  return queried.length === 0 ? text : call(`${platform}.WithQuery`, [parts.join('+'), ...queried])
}
