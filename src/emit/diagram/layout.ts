import dagre from '@dagrejs/dagre'
import { CARD, type Card, type Row } from './cards.ts'
import type { Link } from './links.ts'
import { type Box, pack } from './pack.ts'

/** A point, such as the top left corner of a card. */
export interface Point {
  readonly x: number
  readonly y: number
}

/**
 * The points of a line from the row of an attribute to the head of a card. The line is straight where it passes
 * cards: between the second and the third point, the fourth and the fifth, and so on.
 */
export type Route = readonly Point[]

/** The size of a diagram and the positions of cards and lines. */
interface DiagramLayout {
  readonly width: number
  readonly height: number
  /** Top left corner of each card. */
  readonly places: readonly Point[]
  /** Route of each link. */
  readonly routes: readonly Route[]
}

const MARGIN = 28
const GAP = { cards: 28, columns: 88, groups: 44 } as const
/** Distance between a card and the lines that pass it. */
const CLEARANCE = 10

/** Cards that are connected by links, laid out together. */
interface Group extends Box {
  readonly places: ReadonlyMap<number, Point>
  readonly routes: ReadonlyMap<number, Route>
}

/**
 * Places cards so that references lead from left to right where possible, and unconnected groups next to each other.
 */
export function layOutCards(cards: readonly Card[], links: readonly Link[], width: number): DiagramLayout {
  const indexes = new Map(cards.map(({ name }, index) => [name, index]))
  const ends = links.map(({ from, to }) => [indexes.get(from) ?? 0, indexes.get(to) ?? 0] as const)
  const groups = connected(cards.length, ends).map((members) => layOut(members, cards, links, ends, width))
  const packed = pack(groups, GAP.groups)
  const places: Point[] = []
  const routes: Route[] = []
  for (const { item, x, y } of packed.boxes) {
    const shift = (place: Point): Point => ({
      x: round(place.x + x + MARGIN),
      y: round(place.y + y + MARGIN),
    })
    for (const [index, place] of item.places) places[index] = shift(place)
    for (const [index, route] of item.routes) routes[index] = route.map(shift)
  }
  return {
    width: Math.ceil(packed.width + 2 * MARGIN),
    height: Math.ceil(packed.height + 2 * MARGIN),
    places,
    routes,
  }
}

/** The sets of connected indexes, each in ascending order. */
function connected(count: number, ends: readonly (readonly [number, number])[]): number[][] {
  const neighbors: number[][] = Array.from({ length: count }, () => [])
  for (const [from, to] of ends) {
    neighbors[from]?.push(to)
    neighbors[to]?.push(from)
  }
  const seen = new Set<number>()
  const groups: number[][] = []
  for (let first = 0; first < count; first++) {
    if (seen.has(first)) continue
    const group: number[] = []
    const waiting = [first]
    seen.add(first)
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      group.push(next)
      for (const neighbor of neighbors[next] ?? []) {
        if (seen.has(neighbor)) continue
        seen.add(neighbor)
        waiting.push(neighbor)
      }
    }
    groups.push(group.sort((a, b) => a - b))
  }
  return groups
}

function layOut(
  members: readonly number[],
  cards: readonly Card[],
  links: readonly Link[],
  ends: readonly (readonly [number, number])[],
  width: number,
): Group {
  const graph = new dagre.graphlib.Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', nodesep: GAP.cards, ranksep: GAP.columns, edgesep: 14 })
  for (const index of members) graph.setNode(String(index), { width, height: cards[index]?.height ?? 0 })
  const inside = ends.flatMap(([from, to], index) => (members.includes(from) ? [{ from, to, index }] : []))
  for (const { from, to, index } of inside) graph.setEdge(String(from), String(to), {}, String(index))
  dagre.layout(graph)

  const places = new Map<number, Point>()
  for (const index of members) {
    const node = graph.node(String(index)) as Point & { readonly height: number }
    places.set(index, { x: node.x - width / 2, y: node.y - node.height / 2 })
  }
  const routes = new Map<number, Route>()
  for (const { from, to, index } of inside) {
    const edge = graph.edge(String(from), String(to), String(index)) as { readonly points: readonly Point[] }
    const [source, target] = [places.get(from), places.get(to)]
    const [card, link] = [cards[from], links[index]]
    if (source && target && card && link)
      routes.set(index, routeOf(source, target, rowOf(card, link), edge.points, width))
  }
  return cropped(places, routes, cards, width)
}

/** Shifts a group so that its cards and lines start at 0, because dagre lets lines leave its area. */
function cropped(
  places: ReadonlyMap<number, Point>,
  routes: ReadonlyMap<number, Route>,
  cards: readonly Card[],
  width: number,
): Group {
  const corners = [...places].flatMap(([index, { x, y }]) => [
    { x, y },
    { x: x + width, y: y + (cards[index]?.height ?? 0) },
  ])
  const points = [...corners, ...[...routes.values()].flat()]
  const left = Math.min(...points.map(({ x }) => x))
  const top = Math.min(...points.map(({ y }) => y))
  const shift = (place: Point): Point => ({ x: place.x - left, y: place.y - top })
  return {
    width: Math.max(...points.map(({ x }) => x)) - left,
    height: Math.max(...points.map(({ y }) => y)) - top,
    places: new Map([...places].map(([index, place]) => [index, shift(place)])),
    routes: new Map([...routes].map(([index, route]) => [index, route.map(shift)])),
  }
}

function rowOf(card: Card, { struct, field }: Link): number {
  const rows: readonly Row[] = struct === undefined ? card.rows : rowsOfStruct(card, struct)
  return rows.find(({ name }) => name === field)?.y ?? CARD.head / 2
}

function rowsOfStruct(card: Card, struct: string): readonly Row[] {
  return card.structs.find(({ name }) => name === struct)?.rows ?? []
}

function routeOf(
  source: Point,
  target: Point,
  row: number,
  points: readonly Point[],
  width: number,
): Point[] {
  const rightwards = target.x > source.x
  const half = (rightwards ? 1 : -1) * (width / 2 + CLEARANCE)
  // Every second inner point is in the middle of a column of cards.
  const passed = points.slice(1, -1).filter((_, index) => index % 2 === 1)
  return [
    { x: rightwards ? source.x + width : source.x, y: source.y + row },
    ...passed.flatMap(({ x, y }) => [
      { x: x - half, y },
      { x: x + half, y },
    ]),
    { x: rightwards ? target.x : target.x + width, y: target.y + CARD.head / 2 },
  ]
}

/** Rounds to half pixels, which keeps the output short. */
function round(value: number): number {
  return Math.round(value * 2) / 2
}
