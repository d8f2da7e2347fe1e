import { describe, expect, test } from 'vitest'
import { hundred } from '../../../scripts/hundred-definition.ts'
import { CARD } from '../../../src/emit/diagram/cards.ts'
import { type Diagram, diagram, type PositionedCard } from '../../../src/emit/diagram/diagram.ts'
import { platformOf } from '../platform.ts'
import { LINKS, PLATFORMS } from './definitions.ts'

function cardOf({ cards }: Diagram, name: string): PositionedCard {
  const card = cards.find((each) => each.name === name)
  if (card === undefined) throw new Error(`no card ${name}`)
  return card
}

describe('a diagram shows', () => {
  const links = diagram(platformOf(LINKS))

  test('every link between services, from its attribute to its target', () => {
    expect(links.lines.map(({ from, struct, field, to }) => [struct ?? from, field ?? 'uses', to])).toEqual([
      ['Shelf', 'owner', 'User'],
      ['Shelf', 'last', 'Book'],
      ['Slot', 'of', 'User'],
      ['Book', 'shelf', 'Shelf'],
      ['Book', 'uses', 'User'],
    ])
    for (const { from, struct, field, to, route } of links.lines) {
      const [source, target] = [cardOf(links, from), cardOf(links, to)]
      const rows =
        struct === undefined ? source.rows : source.structs.find(({ name }) => name === struct)?.rows
      const row = rows?.find(({ name }) => name === field)?.y ?? CARD.head / 2
      expect(route[0]?.y).toBeCloseTo(source.y + row, 0)
      expect([source.x, source.x + source.width]).toContain(route[0]?.x)
      expect([target.x, target.x + target.width]).toContain(route.at(-1)?.x)
    }
  })

  test('attributes with type and annotations, references within a service as rows', () => {
    const shelf = cardOf(links, 'Shelf')
    expect(cardOf(links, 'User').rows.map(({ name, detail }) => [name, detail])).toEqual([
      ['name', 'string @unique'],
    ])
    expect(shelf.rows.map(({ detail }) => detail)).toEqual(['User', 'Book @server'])
    expect(shelf.structs.map(({ name, rows }) => [name, rows.map(({ detail }) => detail)])).toEqual([
      ['Slot', ['Shelf', 'User', 'string']],
      ['Label', ['Slot']],
    ])
  })

  test('who can read and write', () => {
    expect(links.cards.map(({ access, isOpen }) => [access, isOpen])).toEqual([
      ['all read, creator writes', true],
      ['all read and write', true],
      ['creator reads and writes', false],
    ])
    const open = diagram(platformOf('Open: project {} Thing: service {}'))
    expect(open.cards[0]?.access).toBe('open to anyone')
  })

  test('only references of a large platform, and a count instead of a hundred lines', () => {
    const platform = platformOf(hundred(100))
    const { cards, lines } = diagram(platform)
    expect(cards[0]?.access).toBe('all read, creator writes · 99 references')
    expect(cards[1]?.rows.map(({ name }) => name)).toEqual(['member', '4 more attributes'])
    expect(lines.some(({ to }) => to === 'Member')).toBe(false)
    expect(diagram(platform, { attributes: 'all' }).cards[1]?.rows).toHaveLength(5)
  })

  test('the same every time', () => {
    expect(diagram(platformOf(LINKS))).toEqual(links)
  })
})

describe.each(PLATFORMS)('the diagram of %s', (_, platform) => {
  const picture = diagram(platform)

  test('contains everything within its edges', () => {
    const points = [
      ...picture.cards.flatMap(({ x, y, width, height }) => [
        { x, y },
        { x: x + width, y: y + height },
      ]),
      ...picture.lines.flatMap(({ route }) => route),
    ]
    for (const { x, y } of points) {
      expect(x).toBeGreaterThan(10)
      expect(y).toBeGreaterThan(10)
      expect(x).toBeLessThan(picture.width - 10)
      expect(y).toBeLessThan(picture.height - 10)
    }
  })

  test('has no overlapping cards, and no straight line across a card', () => {
    const { cards, lines } = picture
    const overlaps = cards.flatMap((a, index) =>
      cards
        .slice(index + 1)
        .filter(
          (b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height,
        ),
    )
    expect(overlaps).toEqual([])
    const crossed = lines.flatMap(({ route }) =>
      route.flatMap((point, index) => {
        if (index === 0 || index % 2 === 1 || index === route.length - 1) return []
        const middle = ((route[index - 1]?.x ?? 0) + point.x) / 2
        return cards.filter(
          (card) =>
            middle > card.x &&
            middle < card.x + card.width &&
            point.y > card.y &&
            point.y < card.y + card.height,
        )
      }),
    )
    expect(crossed).toEqual([])
  })
})
