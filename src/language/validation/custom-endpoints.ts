import { camelCase, kebabCase, listed } from '../../naming.ts'
import { argumentWords, bindArguments, wordText } from '../argument-binding.ts'
import { annotationNamed, metadataNamed } from '../builtins.ts'
import { routeOf } from '../endpoint-path.ts'
import {
  type Attribute,
  type Block,
  type Definition,
  type Endpoint,
  isBlock,
  isEndpoint,
  isEntity,
  isStruct,
  type Metadata,
} from '../generated/ast.ts'
import { hasName, isNamedInService, nameSpan, spanOf } from '../nodes.ts'
import { parseInteger } from '../numbers.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { quote } from '../quote.ts'
import { mayHaveMethod } from './access-rules.ts'
import { type ValidationContext, withSuggestion } from './context.ts'
import { metadataOf } from './definition-index.ts'
import { hasId } from './endpoint-paths.ts'

/** The operations whose names, with those of entities, are functions: `createHome`. */
const OPERATIONS = ['create', 'read', 'update', 'patch', 'delete', 'list', 'identify']
/** Functions that every service has for its own entity. */
const RESERVED: ReadonlySet<string> = new Set([...OPERATIONS, 'readMany', 'name', 'exists', 'unknown'])
/** Annotations that say whether an attribute is only in requests or only in responses. */
const DIRECTIONS: ReadonlySet<string> = new Set(['client', 'serverSet'])
/** What the request of a page has besides attributes. */
const PAGE_PARAMETERS = ['limit', 'after']

/** The names of endpoints and jobs are unique in their service. That of an endpoint is no function of the service. */
export function checkInnerNames(block: Block, context: ValidationContext): void {
  if (block.$type !== 'Service') return
  const taken = new Map<string, Block>([[kebabCase(block.name), block]])
  for (const struct of block.members.filter(isStruct)) taken.set(kebabCase(struct.name), struct)
  for (const inner of block.members.filter(isBlock).filter(isNamedInService)) {
    if (!hasName(inner)) continue
    const form = kebabCase(inner.name)
    const same = taken.get(form)
    if (isEndpoint(inner) && RESERVED.has(camelCase(inner.name)))
      context.report(
        'reserved-endpoint-name',
        nameSpan(inner),
        `An endpoint cannot be named ${quote(inner.name)}`,
        { help: `every service has a function \`${camelCase(inner.name)}\`; rename the endpoint` },
      )
    else if (same === undefined) taken.set(form, inner)
    else
      context.report('duplicate-block', nameSpan(inner), `${quote(inner.name)} is already declared`, {
        related: [{ ...nameSpan(same), message: 'first declared here' }],
      })
  }
}

/** The function that calls an endpoint, such as `quoteHome`, is no other endpoint's. */
export function checkEndpointFunctions(_definition: Definition, context: ValidationContext): void {
  const endpoints = context.index.blocks.filter(isEndpoint)
  if (endpoints.length === 0) return
  const taken = new Map<string, Block>()
  for (const block of context.index.blocks)
    if (isEntity(block)) for (const operation of OPERATIONS) taken.set(`${operation}${block.name}`, block)
  for (const endpoint of endpoints) {
    const service = endpoint.$container
    if (service.$type !== 'Service' || RESERVED.has(camelCase(endpoint.name))) continue
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
