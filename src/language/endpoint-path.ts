import { bindArguments } from './argument-binding.ts'
import { isMethod, metadataNamed, METHODS, type MethodName } from './builtins.ts'
import { type Endpoint, isQuoted, type Quoted, type TextValue } from './generated/ast.ts'
import { parseStringLiteral } from './string-literal.ts'

/** A segment of the path of an endpoint: fixed text, or a parameter in braces. */
export interface Segment {
  readonly kind: 'text' | 'parameter'
  /** The text, or the name of the parameter. */
  readonly text: string
  /** Its place in the path, in UTF-16 code units. */
  readonly start: number
  readonly end: number
}

/** The method and path of an endpoint; `undefined` without any, or with one of another form. */
export interface EndpointRoute {
  readonly method: MethodName
  readonly value: TextValue
  /** Below the path of the service, as written. */
  readonly path: string
}

/** Every `#get`, `#post`, `#put`, `#patch` and `#delete` of an endpoint. */
export function routesOf({ members }: Endpoint): Quoted[] {
  return members.filter(isQuoted).filter(({ name }) => isMethod(name))
}

/** The first method and path of an endpoint. */
export function routeOf(endpoint: Endpoint): EndpointRoute | undefined {
  const [route] = routesOf(endpoint)
  const method = METHODS.find((name) => name === route?.name)
  const parameter = method && metadataNamed(method)?.parameter
  if (route === undefined || method === undefined || parameter === undefined) return undefined
  const value = bindArguments(route.arguments, [parameter]).values.get(parameter.name)
  const path = value?.$type === 'TextValue' ? parseStringLiteral(value.literal) : undefined
  return value?.$type === 'TextValue' && path !== undefined ? { method, value, path } : undefined
}

/** The segments of a path. Those that are neither text nor a parameter are `undefined`. */
export function segmentsOf(path: string): (Segment | undefined)[] {
  let start = 0
  return path.split('/').map((written) => {
    const place = { start, end: start + written.length }
    start = place.end + 1
    if (/^[A-Za-z0-9_-]+$/.test(written)) return { kind: 'text', text: written, ...place }
    const [, name] = /^\{([a-z][A-Za-z0-9]*)\}$/.exec(written) ?? []
    return name === undefined ? undefined : { kind: 'parameter', text: name, ...place }
  })
}

/** How the requests of two paths with one method overlap. */
export type Overlap = 'none' | 'same' | 'narrower' | 'ambiguous'

/**
 * Compares two paths by their segments, where `undefined` stands for any text: `narrower` if every request to one of
 * them would also fit the other, which is then not used for it.
 */
export function overlapOf(
  one: readonly (string | undefined)[],
  other: readonly (string | undefined)[],
): Overlap {
  if (one.length !== other.length) return 'none'
  let isOneNarrower = false
  let isOtherNarrower = false
  for (const [index, text] of one.entries()) {
    const compared = other[index]
    if (text === compared) continue
    if (text !== undefined && compared !== undefined) return 'none'
    if (text === undefined) isOtherNarrower = true
    else isOneNarrower = true
  }
  if (isOneNarrower && isOtherNarrower) return 'ambiguous'
  return isOneNarrower || isOtherNarrower ? 'narrower' : 'same'
}
