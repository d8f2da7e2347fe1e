import { counted } from '../../model/names.ts'
import type { Platform } from '../../model/platform.ts'
import { type Card, cardsOf, cardWidth } from './cards.ts'
import { type Link, linksOf } from './links.ts'
import { arrange, type Place, type Route } from './arrange.ts'

/** A platform as a picture: cards with their places, and the lines between them. All lengths in CSS pixels. */
export interface Diagram {
  /** The project's name as written. */
  readonly title: string
  /** What the picture shows, as sentences: for whoever cannot see it. */
  readonly description: string
  readonly width: number
  readonly height: number
  /** In the order of the definition. */
  readonly cards: readonly PlacedCard[]
  /** References and uses that are drawn as lines; those to a much used service are not. */
  readonly lines: readonly Line[]
}

/** A service where it stands; `x` and `y` are its left upper corner. */
export interface PlacedCard extends Card, Place {
  readonly width: number
}

/** A reference, or a use, and the way that its line takes. */
export interface Line extends Link {
  readonly route: Route
}

/** How much of a platform a diagram shows. */
export interface DiagramOptions {
  /** Every attribute, or those alone that refer to something. Default: `all` for up to 30 services. */
  readonly attributes?: 'all' | 'references'
}

/** Beyond this many services, attributes that refer to nothing only hide the others. */
const MOST_DETAILED = 30
/** Sentences for more links than this are no help to anybody. */
const MOST_TOLD = 40

/**
 * Lays a platform out: services with their structs as cards, references from the attribute to what it refers
 * to. The same platform gives the same diagram, on every machine.
 */
export function diagram(platform: Platform, options: DiagramOptions = {}): Diagram {
  const attributes = options.attributes ?? (platform.services.length > MOST_DETAILED ? 'references' : 'all')
  const links = linksOf(platform)
  const cards = cardsOf(platform, attributes, links)
  const cardSize = cardWidth(cards)
  const drawn = links.filter(({ isHub }) => !isHub)
  const { width, height, places, routes } = arrange(cards, drawn, cardSize)
  return {
    title: platform.names.declared,
    description: describe(platform, links),
    width,
    height,
    cards: cards.map((card, index) => ({ ...card, ...(places[index] ?? { x: 0, y: 0 }), width: cardSize })),
    lines: drawn.map((link, index) => ({ ...link, route: routes[index] ?? [] })),
  }
}

function describe(platform: Platform, links: readonly Link[]): string {
  const { services, names } = platform
  const structs = services.flatMap((service) => service.structs)
  const sizes = `${names.declared} has ${counted(services.length, 'service')}, ${counted(structs.length, 'struct')} and ${counted(links.length, 'link')} between services.`
  return [sizes, ...(links.length > MOST_TOLD ? [] : links.map(linkSentence))].join(' ')
}

/** `Stay.home refers to Home.` */
export function linkSentence({ from, struct, field, to }: Link): string {
  if (field === undefined) return `${from} uses ${to}.`
  return `${struct ?? from}.${field} refers to ${to}.`
}
