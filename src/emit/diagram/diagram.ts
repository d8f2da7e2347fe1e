import { counted } from '../../naming.ts'
import type { Platform } from '../../model/platform.ts'
import { type Card, cardsOf, cardWidth } from './cards.ts'
import { type Link, linksOf } from './links.ts'
import { layOutCards, type Point, type Route } from './layout.ts'

/** A diagram of a platform: positioned cards and the lines between them. Lengths are in CSS pixels. */
export interface Diagram {
  /** The project's declared name. */
  readonly title: string
  /** Text alternative for people who cannot see the diagram. */
  readonly description: string
  readonly width: number
  readonly height: number
  /** In the order of the definition. */
  readonly cards: readonly PositionedCard[]
  /** References and uses that are drawn as lines. Links to services with very many links are not drawn. */
  readonly lines: readonly Line[]
}

/** A card with its position. `x` and `y` are its top left corner. */
export interface PositionedCard extends Card, Point {
  readonly width: number
}

/** A reference or a use, with the route of its line. */
export interface Line extends Link {
  readonly route: Route
}

/** Options of a diagram. */
interface DiagramOptions {
  /** Whether to show all attributes or only references. Default: `all` for up to 30 services. */
  readonly attributes?: 'all' | 'references'
}

/** With more services than this, only references are shown. */
const MAX_DETAILED_SERVICES = 30
/** With more links than this, the description does not list them. */
const MAX_DESCRIBED_LINKS = 40

/**
 * Creates the diagram of a platform: services and structs as cards, references as lines from an attribute to its
 * target. The same platform always gives the same diagram.
 */
export function diagram(platform: Platform, options: DiagramOptions = {}): Diagram {
  const attributes =
    options.attributes ?? (platform.services.length > MAX_DETAILED_SERVICES ? 'references' : 'all')
  const links = linksOf(platform)
  const cards = cardsOf(platform, attributes, links)
  const cardSize = cardWidth(cards)
  const drawn = links.filter(({ isHub }) => !isHub)
  const { width, height, places, routes } = layOutCards(cards, drawn, cardSize)
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
  return [sizes, ...(links.length > MAX_DESCRIBED_LINKS ? [] : links.map(linkSentence))].join(' ')
}

/** `Stay.home refers to Home.` */
export function linkSentence({ from, struct, field, to }: Link): string {
  if (field === undefined) return `${from} uses ${to}.`
  return `${struct ?? from}.${field} refers to ${to}.`
}
