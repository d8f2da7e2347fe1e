import type { Attribute, Authentication, Platform, Service, ServiceBase } from '../../model/platform.ts'

/** A dependency of a service, or of the authentication service, on another one, through a reference or `#uses`. */
export interface Link {
  /** Declared name of the dependent service. */
  readonly from: string
  /** The struct of `from` that contains the attribute, if any. */
  readonly struct: string | undefined
  /** The attribute; `undefined` for `#uses`. */
  readonly field: string | undefined
  /** Declared name of the other service. */
  readonly to: string
  /** Whether `to` has so many links that they are counted instead of drawn. */
  readonly isHub: boolean
}

/** With more links than this to one service, its lines could not be told apart. */
const MAX_LINES = 12

/** All links between services, in the order of the definition. */
export function linksOf(platform: Platform): readonly Link[] {
  const { authentication, services } = platform
  const links = [
    ...(authentication === undefined ? [] : usesLinks(authentication, [])),
    ...services.flatMap(serviceLinks),
  ]
  const arriving = new Map<string, number>()
  for (const { to } of links) arriving.set(to, (arriving.get(to) ?? 0) + 1)
  return links.map((link) => ({ ...link, isHub: (arriving.get(link.to) ?? 0) > MAX_LINES }))
}

function serviceLinks(service: Service): Omit<Link, 'isHub'>[] {
  const from = service.names.declared
  const references = [
    ...attributeLinks(from, undefined, service.entity.attributes),
    ...service.structs.flatMap((struct) => attributeLinks(from, struct.names.declared, struct.attributes)),
  ]
  return [...references, ...usesLinks(service, references)]
}

/** The links to what a service calls besides what it refers to. */
function usesLinks(
  { names, calls }: ServiceBase,
  references: readonly Omit<Link, 'isHub'>[],
): Omit<Link, 'isHub'>[] {
  const referenced = new Set(references.map(({ to }) => to))
  return calls
    .filter((target) => !referenced.has(target.names.declared))
    .map((target) => ({
      from: names.declared,
      struct: undefined,
      field: undefined,
      to: target.names.declared,
    }))
}

/** Whether a diagram shows the authentication service: only if it uses services, or they use it. */
export function isLinked({ calls, readers }: Authentication): boolean {
  return calls.length > 0 || readers.length > 0
}

function attributeLinks(
  from: string,
  struct: string | undefined,
  attributes: readonly Attribute[],
): Omit<Link, 'isHub'>[] {
  return attributes.flatMap(({ names, type }) =>
    type.kind === 'reference' && !type.local
      ? [{ from, struct, field: names.declared, to: type.target.names.declared }]
      : [],
  )
}
