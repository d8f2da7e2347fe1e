import dagre from '@dagrejs/dagre'
import { CARD, type Card, type Row } from './cards.ts'
import type { Link } from './links.ts'
import { type Box, pack } from './pack.ts'

/** A left upper corner. */
export interface Place {
  readonly x: number
  readonly y: number
}

/**
 * The points that a line goes through, from the row of an attribute to the head of a card. Between the second
 * and the third, the fourth and the fifth and so on it passes cards and is straight.
 */
export type Route = readonly Place[]

/** Where everything is. */
export interface Arrangement {
  readonly width: number
  readonly height: number
  /** Of each card. */
  readonly places: readonly Place[]
  /** Of each link. */
  readonly routes: readonly Route[]
}

const MARGIN = 28
const GAP = { cards: 28, columns: 88, groups: 44 } as const
/** Free of lines at the sides of a card that one passes by. */
const CLEARANCE = 10

/** Cards that links connect, laid out for themselves. */
interface Group extends Box {
  readonly places: ReadonlyMap<number, Place>
  readonly routes: ReadonlyMap<number, Route>
}

/**
 * Places cards so that references lead from left to right as far as they can, and groups that nothing connects
 * beside each other.
 */
export function arrange(cards: readonly Card[], links: readonly Link[], width: number): Arrangement {
  const indexes = new Map(cards.map(({ name }, index) => [name, index]))
  const ends = links.map(({ from, to }) => [indexes.get(from) ?? 0, indexes.get(to) ?? 0] as const)
  const groups = connected(cards.length, ends).map((members) => layOut(members, cards, links, ends, width))
  const packed = pack(groups, GAP.groups)
  const places: Place[] = []
  const routes: Route[] = []
  for (const { item, x, y } of packed.boxes) {
    const shift = (place: Place): Place => ({
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

/** Sets of indexes that are connected, each in rising order. */
function connected(count: number, ends: readonly (readonly [number, number])[]): number[][] {
  const neighbours: number[][] = Array.from({ length: count }, () => [])
  for (const [from, to] of ends) {
    neighbours[from]?.push(to)
    neighbours[to]?.push(from)
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
      for (const neighbour of neighbours[next] ?? []) {
        if (seen.has(neighbour)) continue
        seen.add(neighbour)
        waiting.push(neighbour)
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

  const places = new Map<number, Place>()
  for (const index of members) {
    const node = graph.node(String(index)) as Place & { readonly height: number }
    places.set(index, { x: node.x - width / 2, y: node.y - node.height / 2 })
  }
  const routes = new Map<number, Route>()
  for (const { from, to, index } of inside) {
    const edge = graph.edge(String(from), String(to), String(index)) as { readonly points: readonly Place[] }
    const [source, target] = [places.get(from), places.get(to)]
    const [card, link] = [cards[from], links[index]]
    if (source && target && card && link)
      routes.set(index, routeOf(source, target, rowOf(card, link), edge.points, width))
  }
  return cropped(places, routes, cards, width)
}

/** A group whose cards and lines begin at 0: dagre lets lines leave the area that it gives. */
function cropped(
  places: ReadonlyMap<number, Place>,
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
  const shift = (place: Place): Place => ({ x: place.x - left, y: place.y - top })
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
  source: Place,
  target: Place,
  row: number,
  points: readonly Place[],
  width: number,
): Place[] {
  const rightwards = target.x > source.x
  const half = (rightwards ? 1 : -1) * (width / 2 + CLEARANCE)
  // Of what lies between the ends, every second point is in the middle of a column of cards.
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

/** Half pixels are enough, and shorter. */
function round(value: number): number {
  return Math.round(value * 2) / 2
}
