import { useEffect, useRef, useState } from 'preact/hooks'
import { version } from '../platform.ts'
import { urlOf } from '../base.ts'
import { linkTo } from '../route.ts'
import { useStore } from '../store.ts'

/** Text of 12 pixels is readable down to this scale. */
const MIN_SCALE = 0.7

/** The diagram of services and references. A click on a service opens it. */
export function DiagramView() {
  const frame = useRef<HTMLDivElement>(null)
  const [fits, setFits] = useState(true)
  const number = useStore(version)

  useEffect(() => {
    let isUnmounted = false
    void loadDiagram().then((svg) => {
      if (isUnmounted || svg === undefined || frame.current === null) return
      frame.current.replaceChildren(svg)
      // A diagram that would be too small to read is scrolled, unless the reader chooses to fit it.
      setFits(svg.width.baseVal.value * MIN_SCALE <= frame.current.clientWidth)
    })
    return () => {
      isUnmounted = true
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
        Solid arrows are references, from the attribute to the referenced service. Dashed arrows are calls
        between services. An open lock means that all users can read.
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

async function loadDiagram(): Promise<SVGSVGElement | undefined> {
  const response = await fetch(urlOf('/_explorer/diagram.svg'))
  if (!response.ok) return undefined
  const picture = new DOMParser().parseFromString(await response.text(), 'image/svg+xml').documentElement
  return document.importNode(picture, true) as unknown as SVGSVGElement
}

function open(event: Event): void {
  const target = event.target instanceof Element ? event.target.closest('[data-declaration]') : null
  // A struct is shown with its service, whose group comes first.
  const service = target?.parentElement?.querySelector('[data-declaration]')?.getAttribute('data-declaration')
  if (service) location.hash = linkTo({ view: 'service', service })
}
