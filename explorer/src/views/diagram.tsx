import { useEffect, useRef, useState } from 'preact/hooks'
import { version } from '../platform.ts'
import { addressOf } from '../route.ts'
import { useStore } from '../store.ts'

/** Text of 12 pixels can be read at this size still. */
const SMALLEST_SCALE = 0.7

/** The services and what refers to what. A click on one leads to it. */
export function DiagramView() {
  const frame = useRef<HTMLDivElement>(null)
  const [fits, setFits] = useState(true)
  const number = useStore(version)

  useEffect(() => {
    let isGone = false
    void readDiagram().then((svg) => {
      if (isGone || svg === undefined || frame.current === null) return
      frame.current.replaceChildren(svg)
      // One that would be too small to read is scrolled, unless the reader wants to see all of it.
      setFits(svg.width.baseVal.value * SMALLEST_SCALE <= frame.current.clientWidth)
    })
    return () => {
      isGone = true
    }
  }, [number])

  return (
    <>
      <div class="title">
        <h1>Diagram</h1>
        <label class="check">
          <input
            type="checkbox"
            checked={fits}
            onChange={({ currentTarget }) => setFits(currentTarget.checked)}
          />
          Fit to the page
        </label>
      </div>
      <p class="muted">
        Arrows lead from an attribute to the service that it refers to; dashed ones are calls from code. An
        open lock: all users read.
      </p>
      <div
        ref={frame}
        class={fits ? 'diagram fits' : 'diagram'}
        tabIndex={0}
        role="region"
        aria-label="Diagram"
        onClick={open}
        onKeyDown={(event) => event.key === 'Enter' && open(event)}
      />
    </>
  )
}

async function readDiagram(): Promise<SVGSVGElement | undefined> {
  const response = await fetch('/_explorer/diagram.svg')
  if (!response.ok) return undefined
  const picture = new DOMParser().parseFromString(await response.text(), 'image/svg+xml').documentElement
  return document.importNode(picture, true) as unknown as SVGSVGElement
}

function open(event: Event): void {
  const target = event.target instanceof Element ? event.target.closest('[data-declaration]') : null
  // A struct is shown with its service, whose group stands before it.
  const service = target?.parentElement?.querySelector('[data-declaration]')?.getAttribute('data-declaration')
  if (service) location.hash = addressOf({ view: 'service', service })
}
