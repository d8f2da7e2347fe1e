import { CARD, type Row, type StructCard } from './cards.ts'
import { type Diagram, type Line, linkSentence, type PositionedCard } from './diagram.ts'
import { diagramStyle, type Theme } from './style.ts'

/** Options of an SVG diagram. */
interface SvgOptions {
  /**
   * Whether services and structs are focusable links, for hosts that handle their activation (`data-declaration`
   * contains the name). Default: false.
   */
  readonly interactive?: boolean
  /** Whether the style sheet is included. Default: true. Otherwise the page must include `diagramStyle`. */
  readonly standalone?: boolean
  /** Theme of a standalone diagram. Default: `auto`. */
  readonly theme?: Theme
}

/**
 * Draws a diagram as one SVG element (SVG 2), without scripts, style attributes, ids or external resources.
 */
export function diagramSvg(picture: Diagram, options: SvgOptions = {}): string {
  const { interactive = false, standalone = true, theme = 'auto' } = options
  const { title, description, width, height, cards, lines } = picture
  // Screen readers announce an image as a whole, but each part of a group.
  const role = interactive ? 'group' : 'img'
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="portico-diagram" role="${role}" aria-label="${escape(`Diagram of ${title}. ${description}`)}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>Diagram of ${escape(title)}</title>`,
    `<desc>${escape(description)}</desc>`,
    ...(standalone ? [`<style>${diagramStyle(theme)}</style>`] : []),
    `<rect class="background" width="${width}" height="${height}" rx="12"/>`,
    ...lines.map(lineOf),
    ...cards.map((card) => cardOf(card, interactive)),
    '</svg>\n',
  ].join('\n')
}

function lineOf(line: Line): string {
  const { route, field } = line
  const [first, ...rest] = route
  if (first === undefined) return ''
  let [x, y] = [first.x, first.y]
  const steps = [`M${x} ${y}`]
  rest.forEach((point, index) => {
    // The line is straight next to cards and curved between columns.
    if (index % 2 === 1) steps.push(`H${point.x}`)
    else {
      const middle = (x + point.x) / 2
      steps.push(`C${middle} ${y} ${middle} ${point.y} ${point.x} ${point.y}`)
    }
    ;[x, y] = [point.x, point.y]
  })
  const back = (rest.at(-2) ?? first).x < x ? -9 : 9
  const arrow = `<path class="arrow" d="M${x} ${y}l${back} -5v10z"/>`
  const path = `<path class="line${field === undefined ? ' uses' : ''}" d="${steps.join('')}"/>`
  return `<g><title>${escape(linkSentence(line))}</title>${path}${arrow}</g>`
}

function cardOf(card: PositionedCard, interactive: boolean): string {
  const { x, y, width, height, name, access, documentation } = card
  const shapes = [
    hint(documentation),
    `<rect class="card" width="${width}" height="${height}" rx="8"/>`,
    `<path class="head" d="M.5 ${CARD.head - 6}V8.5a8 8 0 0 1 8-8H${width - 8.5}a8 8 0 0 1 8 8V${CARD.head - 6}z"/>`,
  ]
  const texts = [
    `<text class="name" x="${CARD.padding}" y="18">${escape(name)}</text>`,
    `<text class="access" x="${CARD.padding}" y="37">${escape(access)}</text>`,
    card.storesUsers ? person(width - CARD.padding - 34) : '',
    lock(width - CARD.padding - 11, card.isOpen),
    ...card.rows.map((row) => rowOf(row, CARD.padding, width)),
  ]
  const label = `Service ${name}: ${access}`
  const structs = card.structs.flatMap((struct) => structOf(struct, width, interactive))
  const parts = [group(name, label, interactive, shapes), ...texts, ...structs]
  return `<g transform="translate(${x} ${y})">${parts.join('')}</g>`
}

function structOf(struct: StructCard, width: number, interactive: boolean): string[] {
  const { name, y, height, rows, documentation } = struct
  const x = CARD.inset + CARD.padding
  const shapes = [
    hint(documentation),
    `<rect class="struct" x="${CARD.inset}" y="${y}" width="${width - 2 * CARD.inset}" height="${height}" rx="6"/>`,
  ]
  return [
    group(name, `Struct ${name}`, interactive, shapes),
    `<text class="struct-name" x="${x}" y="${y + 16}">${escape(name)}</text>`,
    many(width - x - 11, y + 10),
    ...rows.map((row) => rowOf(row, x, width)),
  ]
}

/**
 * The group of a declaration. It contains only shapes, not texts, so that its accessible name does not contradict its
 * visible text (WCAG 2.2, 2.5.3). Texts let pointer events through.
 */
function group(name: string, label: string, interactive: boolean, shapes: readonly string[]): string {
  const attributes = interactive ? ` tabindex="0" role="link" aria-label="${escape(label)}"` : ''
  return `<g data-declaration="${escape(name)}"${attributes}>${shapes.join('')}</g>`
}

function rowOf({ y, name, detail, kind }: Row, x: number, width: number): string {
  if (kind === 'more') return `<text class="more" x="${x}" y="${y}">${escape(name)}</text>`
  if (kind === 'transition')
    return `<text class="row step" x="${x + CARD.step}" y="${y}">${escape(name)}</text><text class="row detail" x="${width - x}" y="${y}">${escape(detail)}</text>`
  const refers = kind === 'reference' ? ' refers' : ''
  return `<text class="row${refers}" x="${x}" y="${y}">${escape(name)}</text><text class="row detail${refers}" x="${width - x}" y="${y}">${escape(detail)}</text>`
}

/** A tooltip. */
function hint(documentation: string): string {
  return documentation === '' ? '' : `<title>${escape(documentation)}</title>`
}

function lock(x: number, isOpen: boolean): string {
  const shackle = isOpen ? 'M2.5 6V3.5a3 3 0 0 1 6-.8' : 'M2.5 6V3.5a3 3 0 0 1 6 0V6'
  return `<path class="mark" transform="translate(${x} 11)" d="${shackle}M.75 6h9.5v7H.75z"/>`
}

function person(x: number): string {
  return `<path class="mark" transform="translate(${x} 11)" d="M6 0a3 3 0 1 1 0 6 3 3 0 0 1 0-6M.75 13a5.25 5 0 0 1 10.5 0z"/>`
}

/** The symbol of a struct: several sheets, because an entity can have many entries. */
function many(x: number, y: number): string {
  return `<path class="mark" transform="translate(${x} ${y})" d="M.75 3.5h7v8h-7zM3.25 1h7.5v8"/>`
}

/** Escapes text for XML. Characters that XML 1.0 does not allow become U+FFFD. */
function escape(text: string): string {
  const allowed = text.replace(/(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]|\p{Surrogate}/gu, '\uFFFD')
  return allowed.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
