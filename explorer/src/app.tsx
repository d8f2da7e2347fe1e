import { useEffect, useRef } from 'preact/hooks'
import { Header } from './components/header.tsx'
import { Log } from './components/log.tsx'
import { Sidebar } from './components/sidebar.tsx'
import { platform } from './platform.ts'
import { linkTo, route } from './route.ts'
import { useStore } from './store.ts'
import { AccessView } from './views/access.tsx'
import { DiagramView } from './views/diagram.tsx'
import { Overview } from './views/overview.tsx'
import { RowsView } from './views/rows.tsx'
import { ServiceView } from './views/service.tsx'
import { TryView } from './views/try.tsx'

/** The whole page. */
export function App() {
  const description = useStore(platform)
  const current = useStore(route)
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    // Keyboard and screen reader users continue at the content that the link opened.
    if (!isFirst.current) main.current?.focus()
    isFirst.current = false
  }, [current])

  if (description === undefined) return <p class="loading">Loading…</p>
  return (
    <div class={`page page-${current.view}`}>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to content
      </a>
      <Header platform={description} current={current} />
      <Sidebar platform={description} current={current} />
      <main id="main" tabIndex={-1} ref={main} class={`view-${current.view}`}>
        {current.view === 'overview' && <Overview platform={description} />}
        {current.view === 'diagram' && <DiagramView />}
        {current.view === 'access' && <AccessView platform={description} />}
        {current.view === 'rows' && description.isLive && (
          <RowsView platform={description} route={current} key={linkTo(current)} />
        )}
        {current.view === 'service' && <ServiceView platform={description} name={current.service} />}
        {current.view === 'try' && (
          <TryView platform={description} name={current.service} operation={current.operation} />
        )}
      </main>
      {description.isLive && <Log />}
    </div>
  )
}
