import { useEffect, useRef } from 'preact/hooks'
import { Header } from './parts/header.tsx'
import { Log } from './parts/log.tsx'
import { Sidebar } from './parts/sidebar.tsx'
import { platform } from './platform.ts'
import { route } from './route.ts'
import { useStore } from './store.ts'
import { DiagramView } from './views/diagram.tsx'
import { Overview } from './views/overview.tsx'
import { ServiceView } from './views/service.tsx'
import { TryView } from './views/try.tsx'

/** The whole page. */
export function App() {
  const description = useStore(platform)
  const place = useStore(route)
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    // Who follows a link by keyboard or with a screen reader continues at what it brought.
    if (!isFirst.current) main.current?.focus()
    isFirst.current = false
  }, [place])

  if (description === undefined) return <p class="waiting">Reading the platform…</p>
  return (
    <div class={`page on-${place.view}`}>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to content
      </a>
      <Header platform={description} place={place} />
      <Sidebar platform={description} place={place} />
      <main id="main" tabIndex={-1} ref={main} class={`view-${place.view}`}>
        {place.view === 'overview' && <Overview platform={description} />}
        {place.view === 'diagram' && <DiagramView />}
        {place.view === 'service' && <ServiceView platform={description} name={place.service} />}
        {place.view === 'try' && (
          <TryView platform={description} name={place.service} operation={place.operation} />
        )}
      </main>
      {description.isLive && <Log />}
    </div>
  )
}
