import { counted } from '../../naming.ts'
import type {
  Attribute,
  Authentication,
  Entity,
  Platform,
  Service,
  Visibility,
} from '../../model/platform.ts'
import { summarizeAccess } from '../../model/describe-access.ts'
import { isLinked, type Link } from './links.ts'
import { monospaceWidth, sansWidth, shorten } from './text-width.ts'
import { isReference } from '../../model/entities.ts'

/** The card of a service: a head, rows of attributes, and its structs. Lengths are in CSS pixels. */
export interface Card {
  readonly name: string
  readonly documentation: string
  /** Summary of the access rules. */
  readonly access: string
  /** Whether all users may read, so that the lock is drawn open. */
  readonly isOpen: boolean
  /** Whether each user has one entity (`#auth`). */
  readonly storesUsers: boolean
  readonly rows: readonly Row[]
  readonly structs: readonly StructCard[]
  readonly height: number
}

/** A struct in its service's card. */
export interface StructCard {
  readonly name: string
  readonly documentation: string
  /** Distance from the top of the card. */
  readonly y: number
  readonly height: number
  readonly rows: readonly Row[]
}

/** One line of text in a card. */
export interface Row {
  /** Distance from the top of the card to the middle of the line. */
  readonly y: number
  readonly name: string
  /**
   * Type and annotations, or what a value of the attribute above can become; empty in a row that counts hidden
   * attributes.
   */
  readonly detail: string
  readonly kind: 'attribute' | 'reference' | 'transition' | 'more'
}

/** Dimensions of cards. */
export const CARD = {
  padding: 14,
  head: 54,
  row: 22,
  rowFont: 12,
  /** Indentation of the values that can change. */
  step: 12,
  nameFont: 16,
  accessFont: 11,
  foot: 10,
  /** Indentation of a struct on both sides. */
  inset: 8,
  structHead: 30,
  structFoot: 8,
  structFont: 13,
  minWidth: 200,
  maxWidth: 380,
} as const

const LONGEST_NAME = 30
const LONGEST_DETAIL = 28

/** The cards of the authentication service, if it is linked, and of all services, in the order of the definition. */
export function cardsOf(
  platform: Platform,
  attributes: 'all' | 'references',
  links: readonly Link[],
): readonly Card[] {
  const hubs = new Map<string, number>()
  for (const { to, isHub } of links) if (isHub) hubs.set(to, (hubs.get(to) ?? 0) + 1)
  const { authentication, services } = platform
  return [
    ...(authentication !== undefined && isLinked(authentication)
      ? [authenticationCard(authentication, hubs.get(authentication.names.declared))]
      : []),
    ...services.map((service) =>
      cardOf(service, authentication !== undefined, attributes, hubs.get(service.names.declared)),
    ),
  ]
}

function authenticationCard({ names }: Authentication, hubLinks: number | undefined): Card {
  return {
    name: names.declared,
    documentation: 'The authentication service',
    access: `${AUTHENTICATION_ACCESS}${hubLinks === undefined ? '' : ` · ${hubLinks} references`}`,
    isOpen: false,
    storesUsers: false,
    rows: [],
    structs: [],
    height: CARD.head + CARD.foot,
  }
}

/** The summary of what the authentication service has. */
export const AUTHENTICATION_ACCESS = 'accounts'

/** The common width of all cards. */
export function cardWidth(cards: readonly Card[]): number {
  const widths = cards.flatMap((card) => [
    sansWidth(card.name, CARD.nameFont) + 2 * CARD.padding + 24,
    sansWidth(card.access, CARD.accessFont) + 2 * CARD.padding,
    ...card.rows.map((row) => rowWidth(row) + 2 * CARD.padding),
    ...card.structs.flatMap(({ rows, name }) => [
      sansWidth(name, CARD.structFont) + 2 * (CARD.padding + CARD.inset) + 24,
      ...rows.map((row) => rowWidth(row) + 2 * (CARD.padding + CARD.inset)),
    ]),
  ])
  return Math.ceil(Math.min(CARD.maxWidth, Math.max(CARD.minWidth, ...widths)))
}

function rowWidth({ name, detail, kind }: Row): number {
  const step = kind === 'transition' ? CARD.step : 0
  return step + monospaceWidth(name, CARD.rowFont) + 16 + monospaceWidth(detail, CARD.rowFont)
}

function cardOf(
  service: Service,
  authenticated: boolean,
  attributes: 'all' | 'references',
  hubLinks: number | undefined,
): Card {
  const rows = rowsOf(service.entity, attributes, CARD.head)
  let y = bottom(rows, CARD.head) + CARD.foot
  const structs = service.structs.map((struct): StructCard => {
    const within = rowsOf(struct, attributes, y + CARD.structHead)
    const height = bottom(within, y + CARD.structHead) + CARD.structFoot - y
    const placed = {
      name: shorten(struct.names.declared, LONGEST_NAME),
      documentation: struct.documentation,
      y,
      height,
      rows: within,
    }
    y += height + CARD.inset
    return placed
  })
  return {
    name: service.names.declared,
    documentation: service.entity.documentation,
    access:
      summarizeAccess(service, authenticated) + (hubLinks === undefined ? '' : ` · ${hubLinks} references`),
    isOpen: service.readable === 'all',
    storesUsers: service.storesUsers,
    rows,
    structs,
    height: y,
  }
}

function bottom(rows: readonly Row[], top: number): number {
  return top + rows.length * CARD.row
}

function rowsOf(entity: Entity, attributes: 'all' | 'references', top: number): readonly Row[] {
  const shown = entity.attributes.filter((attribute) => attributes === 'all' || isReference(attribute.type))
  const hidden = entity.attributes.length - shown.length
  const rows = shown.flatMap((attribute): Omit<Row, 'y'>[] => [
    {
      name: shorten(attribute.names.declared, LONGEST_NAME),
      detail: shorten(detailOf(attribute), LONGEST_DETAIL),
      kind: isReference(attribute.type) ? 'reference' : 'attribute',
    },
    ...transitionsOf(attribute).map(([from, to]) => ({
      name: shorten(from, LONGEST_NAME),
      detail: shorten(to, LONGEST_DETAIL),
      kind: 'transition' as const,
    })),
  ])
  if (hidden > 0)
    rows.push({
      name: counted(hidden, shown.length === 0 ? 'attribute' : 'more attribute'),
      detail: '',
      kind: 'more',
    })
  return rows.map((row, index) => ({ ...row, y: top + (index + 0.5) * CARD.row }))
}

/** The values of an attribute with `@transitions`, with what each can become: `['draft', '→ sent, void']`. */
export function transitionsOf({ type }: Attribute): (readonly [from: string, to: string])[] {
  const next = type.kind === 'enum' ? (type.transitions?.next ?? []) : []
  return next.filter(([, to]) => to.length > 0).map(([from, to]) => [from, `→ ${to.join(', ')}`])
}

/** How the diagram marks where an attribute is visible. */
const MARKS: Readonly<Partial<Record<Visibility, readonly string[]>>> = {
  server: ['@server'],
  serverSet: ['@serverSet'],
  client: ['@client'],
  timestamp: ['#timestamps'],
}

/** The type and annotations of an attribute, without arguments: `string? @unique`. */
export function detailOf({ type, optional, unique, visibility }: Attribute): string {
  const name =
    type.kind === 'reference'
      ? type.target.names.declared
      : type.kind === 'sibling'
        ? type.target.declared
        : type.kind
  const marks = [...(unique ? ['@unique'] : []), ...(MARKS[visibility] ?? [])]
  return [`${name}${optional ? '?' : ''}`, ...marks].join(' ')
}
