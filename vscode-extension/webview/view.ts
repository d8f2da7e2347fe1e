/** What happens in a diagram. */
export interface ViewEvents {
  /** The user follows a service or a struct. */
  readonly follow: (name: string) => void
  /** 1 is the diagram's own size. */
  readonly zoomed: (zoom: number) => void
}

const ZOOM = { least: 0.1, most: 4 } as const
/** A first diagram that would have to be smaller to fit is scrolled instead. */
const READABLE = 0.75
/** Pixels between the diagram and the window, at both sides together. */
const MARGIN = 24
const FORWARDS = new Set(['ArrowDown', 'ArrowRight'])
const BACKWARDS = new Set(['ArrowUp', 'ArrowLeft'])

/** The diagram in its page: its size, and what keyboard and pointer do in it. */
export class View {
  /** `undefined` until something chose it: the first diagram is made to fit. */
  zoom: number | undefined
  readonly #area: HTMLElement
  readonly #label: HTMLElement
  readonly #events: ViewEvents
  #svg: SVGElement | undefined
  #marked: string | null = null

  constructor(area: HTMLElement, label: HTMLElement, events: ViewEvents) {
    this.#area = area
    this.#label = label
    this.#events = events
    area.addEventListener('click', ({ target }) => this.#follow(target))
    area.addEventListener('keydown', (event) => this.#key(event))
    area.addEventListener('wheel', (event) => this.#wheel(event), { passive: false })
    this.#drag()
  }

  /** Shows a diagram in place of the last one: focus, zoom and what is in sight stay. */
  show(text: string): void {
    const { documentElement } = new DOMParser().parseFromString(text, 'image/svg+xml')
    if (documentElement.nodeName !== 'svg') return
    const focused = document.activeElement?.closest('[data-declaration]')?.getAttribute('data-declaration')
    const svg = document.importNode(documentElement, true) as Element as SVGElement
    this.#area.replaceChildren(svg)
    this.#svg = svg
    if (this.zoom === undefined) this.fit(READABLE)
    else this.setZoom(this.zoom)
    this.mark(this.#marked)
    if (focused) this.#declaration(focused)?.focus({ preventScroll: true })
  }

  /** Marks one service or struct, and lets it be seen. */
  mark(name: string | null): void {
    const changed = name !== this.#marked
    this.#marked = name
    for (const old of this.#area.querySelectorAll('.marked')) old.classList.remove('marked')
    const found = name === null ? undefined : this.#declaration(name)
    found?.classList.add('marked')
    if (changed) found?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  zoomBy(factor: number): void {
    this.setZoom((this.zoom ?? 1) * factor)
  }

  setZoom(zoom: number): void {
    this.zoom = Math.min(ZOOM.most, Math.max(ZOOM.least, zoom))
    const { width, height } = this.#size()
    this.#svg?.setAttribute('width', String(width * this.zoom))
    this.#svg?.setAttribute('height', String(height * this.zoom))
    this.#label.textContent = `${Math.round(this.zoom * 100)}%`
    this.#events.zoomed(this.zoom)
  }

  /** As large as there is room for, no larger than its own size and no smaller than `least`. */
  fit(least = 0): void {
    const { width, height } = this.#size()
    if (width === 0 || height === 0) return
    const { clientWidth, clientHeight } = this.#area
    const room = Math.min((clientWidth - MARGIN) / width, (clientHeight - MARGIN) / height)
    this.setZoom(Math.min(1, Math.max(room, least)))
  }

  #size(): { width: number; height: number } {
    const [, , width = 0, height = 0] = (this.#svg?.getAttribute('viewBox') ?? '').split(' ').map(Number)
    return { width, height }
  }

  #declarations(): SVGElement[] {
    return [...this.#area.querySelectorAll<SVGElement>('[data-declaration]')]
  }

  #declaration(name: string): SVGElement | undefined {
    return this.#declarations().find((one) => one.getAttribute('data-declaration') === name)
  }

  #follow(target: EventTarget | null): void {
    const name =
      target instanceof Element && target.closest('[data-declaration]')?.getAttribute('data-declaration')
    if (name) this.#events.follow(name)
  }

  #key(event: KeyboardEvent): void {
    const all = this.#declarations()
    const index = all.findIndex((one) => one === document.activeElement)
    if (index < 0) return
    if (event.key === 'Enter' || event.key === ' ') this.#follow(event.target)
    else if (FORWARDS.has(event.key)) all[index + 1]?.focus()
    else if (BACKWARDS.has(event.key)) all[index - 1]?.focus()
    else if (event.key === 'Home') all[0]?.focus()
    else if (event.key === 'End') all.at(-1)?.focus()
    else return
    event.preventDefault()
  }

  #wheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    const before = this.zoom ?? 1
    const { left, top } = this.#area.getBoundingClientRect()
    const [x, y] = [event.clientX - left, event.clientY - top]
    this.zoomBy(Math.exp(-event.deltaY / 300))
    const grown = (this.zoom ?? before) / before
    // What is under the pointer stays there.
    this.#area.scrollLeft = (this.#area.scrollLeft + x) * grown - x
    this.#area.scrollTop = (this.#area.scrollTop + y) * grown - y
  }

  /** Dragging the background moves the diagram. */
  #drag(): void {
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
