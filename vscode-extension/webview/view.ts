import { DETAIL_ZOOM, firstZoom, fittingZoom } from './fit.ts'

/** What the user does in a diagram. */
export interface ViewEvents {
  /** The user opens the declaration of a service or struct. */
  readonly onOpen: (name: string) => void
  /** The user chose a zoom; `undefined`: the diagram fits the panel. */
  readonly onZoom: (zoom: number | undefined) => void
}

const ZOOM = { min: 0.1, max: 4 } as const
/** Names are at least as large as this on the screen, in pixels, if their card is wide enough. */
const MIN_NAME_SIZE = 11
/** Pixels between a name and the edges of its card, on both sides together. */
const NAME_PADDING = 24
/** Pixels between the diagram and the panel, on both sides together. */
const MARGIN = 24
const FORWARD_KEYS = new Set(['ArrowDown', 'ArrowRight'])
const BACKWARD_KEYS = new Set(['ArrowUp', 'ArrowLeft'])

/** A name in the diagram. Sizes are in its own pixels. */
interface DiagramName {
  readonly name: SVGTextElement
  readonly size: number
  readonly largest: number
}

/** The diagram in its page: its size, and keyboard and pointer events. */
export class View {
  readonly #area: HTMLElement
  readonly #label: HTMLElement
  readonly #events: ViewEvents
  /** The zoom that the user chose. */
  #chosenZoom: number | undefined
  /** Whether the user asked for the whole diagram, however small its text is. */
  #isWhole = false
  /** The current zoom; 1 is the diagram's actual size. */
  #zoom = 1
  #svg: SVGElement | undefined
  #highlighted: string | null = null

  /** @param zoom the zoom that the user chose; `undefined`: the diagram fits the panel, if it is readable then */
  constructor(area: HTMLElement, label: HTMLElement, zoom: number | undefined, events: ViewEvents) {
    this.#area = area
    this.#label = label
    this.#chosenZoom = zoom
    this.#events = events
    area.addEventListener('click', ({ target }) => this.#open(target))
    area.addEventListener('keydown', (event) => this.#onKey(event))
    area.addEventListener('wheel', (event) => this.#onWheel(event), { passive: false })
    this.#enableDragging()
    new ResizeObserver(() => {
      if (this.#chosenZoom === undefined) this.#resize()
    }).observe(area)
  }

  /** Replaces the diagram. Focus, zoom and scroll position are kept. */
  show(text: string): void {
    const { documentElement } = new DOMParser().parseFromString(text, 'image/svg+xml')
    if (documentElement.nodeName !== 'svg') return
    const focused = document.activeElement?.closest('[data-declaration]')?.getAttribute('data-declaration')
    const svg = document.importNode(documentElement, true) as Element as SVGElement
    this.#area.replaceChildren(svg)
    this.#svg = svg
    this.#resize()
    this.highlight(this.#highlighted)
    if (focused) this.#declaration(focused)?.focus({ preventScroll: true })
  }

  /** Highlights one service or struct, and scrolls it into view. */
  highlight(name: string | null): void {
    const isOther = name !== this.#highlighted
    this.#highlighted = name
    for (const element of this.#area.querySelectorAll('.highlighted')) element.classList.remove('highlighted')
    const declaration = name === null ? undefined : this.#declaration(name)
    declaration?.classList.add('highlighted')
    if (isOther) declaration?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  zoomBy(factor: number): void {
    this.zoomTo(this.#zoom * factor)
  }

  zoomTo(zoom: number): void {
    this.#chosenZoom = Math.min(ZOOM.max, Math.max(ZOOM.min, zoom))
    this.#resize()
    this.#events.onZoom(this.#chosenZoom)
  }

  /** Fits the diagram to the panel, now and when the panel is resized. */
  fit(): void {
    this.#chosenZoom = undefined
    this.#isWhole = true
    this.#resize()
    this.#area.scrollTo(0, 0)
    this.#events.onZoom(undefined)
  }

  #resize(): void {
    const { width, height } = this.#size()
    if (this.#svg === undefined || width === 0 || height === 0) return
    const names = this.#names(this.#svg)
    const { clientWidth, clientHeight } = this.#area
    const panel = { width: clientWidth - MARGIN, height: clientHeight - MARGIN }
    const largestName = Math.min(...names.map(({ largest }) => largest))
    const zoomOf = this.#isWhole ? fittingZoom : firstZoom
    this.#zoom = this.#chosenZoom ?? zoomOf({ width, height }, panel, largestName)
    this.#svg.setAttribute('width', String(width * this.#zoom))
    this.#svg.setAttribute('height', String(height * this.#zoom))
    this.#label.textContent = `${Math.round(this.#zoom * 100)}%`
    this.#area.classList.toggle('overview', this.#zoom < DETAIL_ZOOM)
    // A name that would be too small to read is enlarged, as far as its card has space.
    for (const { name, size, largest } of names)
      if (size * this.#zoom < MIN_NAME_SIZE)
        name.style.fontSize = `${Math.max(size, Math.min(MIN_NAME_SIZE / this.#zoom, largest))}px`
  }

  /** The names with their font size and the largest one that their cards have space for. */
  #names(svg: SVGElement): readonly DiagramName[] {
    const names = [...svg.querySelectorAll<SVGTextElement>('.name, .struct-name')]
    for (const name of names) name.style.fontSize = ''
    return names.flatMap((name) => {
      const card = name.previousElementSibling?.querySelector('rect')
      if (!card) return []
      const size = Number.parseFloat(getComputedStyle(name).fontSize)
      const space = card.width.baseVal.value - NAME_PADDING
      return [{ name, size, largest: (size * space) / name.getComputedTextLength() }]
    })
  }

  #size(): { width: number; height: number } {
    const [, , width = 0, height = 0] = (this.#svg?.getAttribute('viewBox') ?? '').split(' ').map(Number)
    return { width, height }
  }

  #declarations(): SVGElement[] {
    return [...this.#area.querySelectorAll<SVGElement>('[data-declaration]')]
  }

  #declaration(name: string): SVGElement | undefined {
    return this.#declarations().find((element) => element.getAttribute('data-declaration') === name)
  }

  #open(target: EventTarget | null): void {
    const name =
      target instanceof Element && target.closest('[data-declaration]')?.getAttribute('data-declaration')
    if (name) this.#events.onOpen(name)
  }

  #onKey(event: KeyboardEvent): void {
    const all = this.#declarations()
    const index = all.findIndex((element) => element === document.activeElement)
    if (index < 0) return
    if (event.key === 'Enter' || event.key === ' ') this.#open(event.target)
    else if (FORWARD_KEYS.has(event.key)) all[index + 1]?.focus()
    else if (BACKWARD_KEYS.has(event.key)) all[index - 1]?.focus()
    else if (event.key === 'Home') all[0]?.focus()
    else if (event.key === 'End') all.at(-1)?.focus()
    else return
    event.preventDefault()
  }

  #onWheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    const before = this.#zoom
    const { left, top } = this.#area.getBoundingClientRect()
    const [x, y] = [event.clientX - left, event.clientY - top]
    this.zoomBy(Math.exp(-event.deltaY / 300))
    const factor = this.#zoom / before
    // The point under the pointer does not move.
    this.#area.scrollLeft = (this.#area.scrollLeft + x) * factor - x
    this.#area.scrollTop = (this.#area.scrollTop + y) * factor - y
  }

  /** Dragging the background scrolls the diagram. */
  #enableDragging(): void {
    const area = this.#area
    area.addEventListener('pointerdown', (event) => {
      const { target, button } = event
      if (button !== 0 || !(target instanceof Element) || target.closest('[data-declaration]')) return
      area.setPointerCapture(event.pointerId)
    })
    area.addEventListener('pointermove', (event) => {
      if (!area.hasPointerCapture(event.pointerId)) return
      area.scrollBy(-event.movementX, -event.movementY)
    })
  }
}
