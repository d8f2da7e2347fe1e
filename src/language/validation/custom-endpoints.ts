import { camelCase, kebabCase, listed } from '../../naming.ts'
import { argumentWords, bindArguments, wordText } from '../argument-binding.ts'
import { annotationNamed, METHODS, metadataNamed } from '../builtins.ts'
import { overlapOf, routeOf, routesOf, type Segment, segmentsOf } from '../endpoint-path.ts'
import {
  type Attribute,
  type Block,
  type Definition,
  type Endpoint,
  isAttribute,
  isEndpoint,
  isEntity,
  isStruct,
  type Metadata,
  type Service,
} from '../generated/ast.ts'
import { hasName, nameSpan, spanOf } from '../nodes.ts'
import { parseInteger } from '../numbers.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { quote } from '../quote.ts'
import type { Span } from '../raw-diagnostic.ts'
import { mayHaveMethod } from './access-rules.ts'
import { type ValidationContext, withSuggestion } from './context.ts'
import { metadataOf } from './definition-index.ts'

/** Functions that every service has for its own entity. */
const RESERVED = /^(?:create|read|readMany|update|patch|delete|list|identify|name|exists|unknown)$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** The parameter of a path that is the id of an entity. */
const ID = 'id'
/** Annotations that say whether an attribute is only in requests or only in responses. */
const DIRECTIONS: ReadonlySet<string> = new Set(['client', 'serverSet'])
/** What the request of a page has besides attributes. */
const PAGE_PARAMETERS = ['limit', 'after']

/** The name of an endpoint is unique in its service, and not that of a function of the service. */
export function checkEndpointNames(block: Block, context: ValidationContext): void {
  if (block.$type !== 'Service') return
  const taken = new Map<string, Block>([[kebabCase(block.name), block]])
  for (const struct of block.members.filter(isStruct)) taken.set(kebabCase(struct.name), struct)
  for (const endpoint of block.members.filter(isEndpoint)) {
    if (!hasName(endpoint)) continue
    const form = kebabCase(endpoint.name)
    const same = taken.get(form)
    if (RESERVED.test(camelCase(endpoint.name)))
      context.report(
        'reserved-endpoint-name',
        nameSpan(endpoint),
        `An endpoint cannot be named ${quote(endpoint.name)}`,
        { help: `every service has a function \`${camelCase(endpoint.name)}\`; rename the endpoint` },
      )
    else if (same === undefined) taken.set(form, endpoint)
    else
      context.report('duplicate-block', nameSpan(endpoint), `${quote(endpoint.name)} is already declared`, {
        related: [{ ...nameSpan(same), message: 'first declared here' }],
      })
  }
}

/** The operations whose names, with those of entities, are functions: `createHome`. */
const OPERATIONS = ['create', 'read', 'update', 'patch', 'delete', 'list', 'identify']

/** The function that calls an endpoint, such as `quoteHome`, is no other endpoint's. */
export function checkEndpointFunctions(_definition: Definition, context: ValidationContext): void {
  const endpoints = context.index.blocks.filter(isEndpoint)
  if (endpoints.length === 0) return
  const taken = new Map<string, Block>()
  for (const block of context.index.blocks)
    if (isEntity(block)) for (const operation of OPERATIONS) taken.set(`${operation}${block.name}`, block)
  for (const endpoint of endpoints) {
    const service = endpoint.$container
    if (service.$type !== 'Service' || RESERVED.test(camelCase(endpoint.name))) continue
    const name = `${camelCase(endpoint.name)}${service.name}`
    const same = taken.get(name)
    if (same === undefined) taken.set(name, endpoint)
    else if (!isEndpoint(same) || same.$container !== service)
      context.report(
        'reserved-endpoint-name',
        nameSpan(endpoint),
        `Clients would have two functions \`${name}\``,
        {
          help: 'rename the endpoint',
          related: [{ ...nameSpan(same), message: 'the other one belongs to this block' }],
        },
      )
  }
}

/** An endpoint has one method and path, which no other route has. */
export function checkEndpointPath(block: Block, context: ValidationContext): void {
  const service = block.$container
  if (block.$type !== 'Endpoint' || service.$type !== 'Service' || context.overlapsSyntaxError(block)) return
  const [first, ...others] = routesOf(block)
  if (first === undefined) {
    if (METHODS.some((method) => context.isMisspelled(method, block))) return
    context.report('missing-endpoint-path', nameSpan(block), `${quote(block.name)} has no path`, {
      help: 'add its method and path, for example `#get("{id}/quote");`',
    })
    return
  }
  for (const other of others)
    if (other.name !== first.name)
      context.report('several-methods', nameSpan(other), 'An endpoint has one method', {
        help: 'declare another endpoint for it',
        related: [{ ...nameSpan(first), message: 'first given here' }],
      })
  const found = routeOf(block)
  if (found === undefined) return
  const { path, value } = found
  const whole = spanOf(value)
  const segments = segmentsOf(path)
  if (segments.some((segment) => segment === undefined)) {
    context.report('invalid-endpoint-path', whole, 'Invalid path', {
      help: 'write segments of letters, digits, `-` and `_`, or parameters in braces, with `/` between them: `"{id}/quote"`',
      ...(/^\/+[^/]/.test(path) && /^[\w/{}-]+$/.test(path)
        ? { data: { replacement: JSON.stringify(path.replace(/^\/+/, '')) } }
        : {}),
    })
    return
  }
  const valid = segments.filter((segment) => segment !== undefined)
  const spanIn = ({ start, end }: Segment): Span => ({
    start: whole.start + 1 + start,
    end: whole.start + 1 + end,
  })
  checkParameters(block, valid, spanIn, context)
  checkFree(block, service, valid, whole, context)
}

/** Each parameter of a path is `id`, or an attribute that requests must have, and occurs once. */
function checkParameters(
  endpoint: Endpoint,
  segments: readonly Segment[],
  spanIn: (segment: Segment) => Span,
  context: ValidationContext,
): void {
  const seen = new Set<string>()
  const attributes = endpoint.members.filter(isAttribute)
  for (const segment of segments.filter(({ kind }) => kind === 'parameter')) {
    const { text } = segment
    const attribute = attributes.find(({ name }) => name === text)
    const report = (message: string, help: string, extra = {}): void =>
      context.report('invalid-endpoint-path', spanIn(segment), message, { help, ...extra })
    if (seen.has(text)) report(`Duplicate parameter ${quote(text)}`, 'rename one of them')
    else if (text === ID) {
      // The id of an entity of the service.
    } else if (attribute === undefined)
      report(
        `${quote(text)} is not an attribute of ${quote(endpoint.name)}`,
        `declare \`${text}: string @client;\`, or use \`{id}\``,
        {
          ...withSuggestion(context.spelling.suggest(text, [ID, ...attributes.map(({ name }) => name)])),
        },
      )
    else if (attribute.annotations.some(({ name }) => name === 'serverSet'))
      report(`${quote(text)} is not in requests`, 'remove its `@serverSet`, or choose another attribute')
    else if (attribute.optional || attribute.default !== undefined)
      report(
        `${quote(text)} may be missing in a request`,
        'a path always contains it: remove its `?` or default',
      )
    else if (attribute.type.$type === 'PrimitiveType' && attribute.type.name === 'data')
      report('`data` is too long for a path', 'send it in the body')
    seen.add(text)
  }
}

/** The path is neither that of a generated route nor that of another endpoint. */
function checkFree(
  endpoint: Endpoint,
  service: Service,
  segments: readonly Segment[],
  whole: Span,
  context: ValidationContext,
): void {
  const [first, second] = segments
  const structs = service.members.filter(isStruct)
  const struct =
    first?.kind === 'parameter' && second?.kind === 'text'
      ? structs.find(({ name }) => kebabCase(name) === second.text)
      : undefined
  const isGenerated =
    (first?.kind === 'text' && (first.text === 'all' || UUID.test(first.text))) ||
    (first?.kind === 'parameter' && segments.length === 1)
  if (isGenerated || struct !== undefined) {
    context.report('endpoint-path-in-use', whole, 'This is the path of a generated route', {
      help: 'choose another path',
      ...(struct === undefined
        ? {}
        : { related: [{ ...nameSpan(struct), message: `used in the paths of ${quote(struct.name)}` }] }),
    })
    return
  }
  // Ids are never text of a path, so the two kinds of paths do not overlap.
  if (first?.kind === 'parameter' && (first.text !== ID || second?.kind === 'parameter')) {
    context.report('endpoint-path-in-use', whole, 'Other routes have paths of this form', {
      help: 'begin the path with text, or with `{id}` and text',
    })
    return
  }
  const shape = shapeOf(segments)
  for (const other of service.members.filter(isEndpoint)) {
    if (other === endpoint) return
    const [mine, theirs] = [routeOf(endpoint), routeOf(other)]
    if (mine === undefined || theirs === undefined || mine.method !== theirs.method) continue
    const others = segmentsOf(theirs.path)
    if (others.some((segment) => segment === undefined) || others[0]?.kind !== first?.kind) continue
    const overlap = overlapOf(shape, shapeOf(others.filter((segment) => segment !== undefined)))
    if (overlap === 'same' || overlap === 'ambiguous')
      context.report(
        'endpoint-path-in-use',
        whole,
        `${overlap === 'same' ? 'All' : 'Some'} requests would also fit the path of ${quote(other.name)}`,
        { help: 'choose another path', related: [{ ...spanOf(theirs.value), message: 'declared here' }] },
      )
  }
}

const shapeOf = (segments: readonly Segment[]): (string | undefined)[] =>
  segments.map(({ kind, text }) => (kind === 'text' ? text : undefined))

/** The attributes of an endpoint are in requests, in responses, or in both. */
export function checkEndpointAttribute(attribute: Attribute, context: ValidationContext): void {
  const endpoint = attribute.$container
  if (endpoint.$type !== 'Endpoint' || hasParseError(attribute)) return
  for (const annotation of attribute.annotations)
    if (!DIRECTIONS.has(annotation.name) && annotationNamed(annotation.name) !== undefined)
      context.report(
        'misplaced-annotation',
        nameSpan(annotation),
        `\`@${annotation.name}\` is not allowed in an endpoint`,
        {
          help: 'use `@client` for what only requests have, and `@serverSet` for what only responses have',
        },
      )
  const isOpen = metadataOf(endpoint, 'public')
  const { type } = attribute
  const isSent = attribute.annotations.every(({ name }) => name !== 'serverSet')
  if (
    isOpen !== undefined &&
    isSent &&
    type.$type === 'ReferenceType' &&
    context.index.authMethod !== undefined
  )
    context.report(
      'public-with-access',
      nameSpan(type),
      'A public endpoint has no caller who could read what a reference refers to',
      {
        help: 'use `string`, and check in the handler what it refers to',
        related: [{ ...nameSpan(isOpen), message: 'needs no token' }],
      },
    )
  const returns = metadataOf(endpoint, 'returns')
  if (returns === undefined) return
  const responds = attribute.annotations.find(({ name }) => name === 'serverSet')
  if (responds !== undefined)
    context.report(
      'attribute-not-returned',
      nameSpan(responds),
      'The response has no attributes of the endpoint',
      {
        help: 'remove the attribute, or `#returns`',
        related: [{ ...nameSpan(returns), message: 'the response is given here' }],
      },
    )
  const isPage = argumentWords(returns, 'list').length > 0
  if (isPage && PAGE_PARAMETERS.includes(attribute.name))
    context.report(
      'reserved-parameter',
      nameSpan(attribute),
      `${quote(attribute.name)} is a parameter of every page`,
      {
        help: 'rename the attribute',
        related: [{ ...nameSpan(returns), message: 'the response is a page' }],
      },
    )
}

/** The metadata of an endpoint has values that make sense together. */
export function checkEndpointMetadata(metadata: Metadata, context: ValidationContext): void {
  const endpoint = metadata.$container
  if (endpoint.$type !== 'Endpoint' || hasParseError(metadata)) return
  if (metadata.name === 'status') checkStatus(metadata, endpoint, context)
  else if (metadata.name === 'returns') checkReturns(metadata, endpoint, context)
  else if (metadata.name === 'access') checkEndpointAccess(metadata, endpoint, context)
  else if (metadata.name === 'public') checkEndpointPublic(metadata, endpoint, context)
}

function checkStatus(metadata: Metadata, endpoint: Endpoint, context: ValidationContext): void {
  const parameter = metadataNamed('status')?.parameter
  if (parameter === undefined) return
  const value = bindArguments(metadata.arguments, [parameter]).values.get(parameter.name)
  const status = value?.$type === 'NumberValue' ? parseInteger(value.text) : undefined
  if (value === undefined || status === undefined) return
  const returns = metadataOf(endpoint, 'returns')
  if (returns !== undefined && argumentWords(returns, 'list').length > 0) {
    context.report('invalid-status', spanOf(value), 'A page always has the status 200', {
      help: 'remove `#status`',
      related: [{ ...nameSpan(returns), message: 'the response is a page' }],
    })
    return
  }
  if (status >= 200n && status <= 299n && status !== 204n && status !== 205n) return
  context.report(
    'invalid-status',
    spanOf(value),
    `${status} is not the status of a successful response with a body`,
    {
      help: 'use a status from 200 to 299, except 204 and 205; for errors, the handler throws',
    },
  )
}

function checkReturns(metadata: Metadata, endpoint: Endpoint, context: ValidationContext): void {
  const values = [...argumentWords(metadata, 'entity'), ...argumentWords(metadata, 'list')]
  if (values.length !== 1 || metadata.list !== undefined) {
    if (metadata.list === undefined && (metadata.arguments?.items.length ?? 0) === 1) return
    context.report('missing-value', nameSpan(metadata), '`#returns` requires one service or struct', {
      help: 'for example `#returns(Home)` or `#returns(list: Home)`',
    })
    return
  }
  const service = endpoint.$container
  for (const value of values) {
    if (value.$type !== 'EntityValue' || service.$type !== 'Service') continue
    const target = value.entity.ref
    if (target === service || (target !== undefined && isStruct(target) && target.$container === service))
      continue
    const word = wordText(value)
    if (target === undefined && (context.isLostName(word) || context.overlapsSyntaxError(service))) continue
    const own = [service.name, ...service.members.filter(isStruct).map(({ name }) => name)]
    context.report(
      'unknown-entity',
      spanOf(value),
      `${quote(word)} is not ${quote(service.name)} or a struct of it`,
      {
        help: `use ${listed(own, 'or')}`,
        ...withSuggestion(context.spelling.suggest(word, own)),
        ...(isEntity(target) ? { related: [{ ...nameSpan(target), message: 'declared here' }] } : {}),
      },
    )
  }
}

/** Whether the path of an endpoint contains `{id}`. */
const hasId = (endpoint: Endpoint): boolean =>
  segmentsOf(routeOf(endpoint)?.path ?? '').some(
    (segment) => segment?.kind === 'parameter' && segment.text === ID,
  )

function checkEndpointAccess(metadata: Metadata, endpoint: Endpoint, context: ValidationContext): void {
  const [check] = argumentWords(metadata, 'check')
  const words = argumentWords(metadata, 'by')
  if (metadata.list !== undefined || (metadata.arguments?.items.length ?? 0) === 0) {
    context.report('missing-value', nameSpan(metadata), '`#access` requires a value', {
      help: 'for example `#access(none)`, or `#access(by: [admin])` with roles',
    })
    return
  }
  const allowed = ['readable', 'writable', 'none']
  const checked = check === undefined ? undefined : wordText(check)
  if (check !== undefined && checked !== undefined && !allowed.includes(checked))
    context.report('unknown-value', spanOf(check), `Invalid value ${quote(checked)}`, {
      help: `use ${listed(allowed, 'or')}`,
      ...withSuggestion(context.spelling.suggest(checked, allowed)),
    })
  else if (check !== undefined && routeOf(endpoint) !== undefined && !hasId(endpoint))
    context.report(
      'access-without-id',
      spanOf(check),
      'The path contains no `{id}` whose access could be checked',
      {
        help: 'remove it: without `{id}`, every user can use the endpoint',
      },
    )
  const { project, roles } = context.index
  for (const value of words) {
    const word = wordText(value)
    if (roles.has(word) || project === undefined || context.overlapsSyntaxError(project)) continue
    if (context.isMisspelled('roles', project)) continue
    context.report('unknown-role', spanOf(value), `Unknown role ${quote(word)}`, {
      help:
        roles.size === 0
          ? 'roles are declared in the project: `#roles[...]`'
          : `use ${listed([...roles], 'or')}`,
      ...withSuggestion(context.spelling.suggest(word, [...roles])),
    })
  }
}

function checkEndpointPublic(metadata: Metadata, endpoint: Endpoint, context: ValidationContext): void {
  const { authMethod, auths, project } = context.index
  if (
    authMethod === undefined &&
    auths.length === 0 &&
    project !== undefined &&
    !mayHaveMethod(project, context)
  ) {
    context.report(
      'redundant-metadata',
      spanOf(metadata),
      'No request needs a token without authentication',
      {
        help: 'remove `#public`, or add `#authMethod(email);` to the project',
      },
    )
    return
  }
  const access = metadataOf(endpoint, 'access')
  const by = access === undefined ? [] : argumentWords(access, 'by')
  const isUnchecked =
    access !== undefined && argumentWords(access, 'check').some((word) => wordText(word) === 'none')
  if (by[0] !== undefined)
    context.report(
      'public-with-access',
      nameSpan(metadata),
      'A public endpoint has no caller who could have a role',
      {
        help: 'remove `#public` or `by:`',
        related: [{ ...spanOf(by[0]), message: 'requires a role' }],
      },
    )
  else if (hasId(endpoint) && !isUnchecked)
    context.report(
      'public-with-access',
      nameSpan(metadata),
      'A public endpoint has no caller who could have access to `{id}`',
      {
        help: 'add `#access(none);`, and check in the handler what it returns',
      },
    )
}
