import { kebabCase } from '../../naming.ts'
import { METHODS } from '../builtins.ts'
import { overlapOf, routeOf, routesOf, type Segment, segmentsOf } from '../endpoint-path.ts'
import {
  type Block,
  type Endpoint,
  isAttribute,
  isEndpoint,
  isStruct,
  type Service,
} from '../generated/ast.ts'
import { nameSpan, spanOf } from '../nodes.ts'
import { quote } from '../quote.ts'
import type { Span } from '../raw-diagnostic.ts'
import { type ValidationContext, withSuggestion } from './context.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** The parameter of a path that is the id of an entity. */
const ID = 'id'

/** Whether the path of an endpoint contains `{id}`. */
export const hasId = (endpoint: Endpoint): boolean =>
  segmentsOf(routeOf(endpoint)?.path ?? '').some(
    (segment) => segment?.kind === 'parameter' && segment.text === ID,
  )

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
