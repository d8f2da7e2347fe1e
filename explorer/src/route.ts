import { createStore } from './store.ts'

/** What the page shows; the fragment of its address says it, so that links and the back button work. */
export type Route =
  | { readonly view: 'overview' }
  | { readonly view: 'diagram' }
  | { readonly view: 'service'; readonly service: string }
  | { readonly view: 'try'; readonly service: string; readonly operation: string | undefined }

/** Where the reader is. */
export const route = createStore(parseRoute(location.hash))

addEventListener('hashchange', () => {
  route.set(parseRoute(location.hash))
  scrollTo(0, 0)
})

/** The address of a place on the page. */
export function addressOf(to: Route): string {
  if (to.view === 'overview') return '#/'
  if (to.view === 'diagram') return '#/diagram'
  if (to.view === 'service') return `#/service/${to.service}`
  return `#/try/${to.service}${to.operation === undefined ? '' : `/${to.operation}`}`
}

function parseRoute(fragment: string): Route {
  const [view, service, operation] = fragment.replace(/^#\/?/, '').split('/')
  if (view === 'diagram') return { view }
  if (view === 'service' && service) return { view, service }
  if (view === 'try' && service) return { view, service, operation }
  return { view: 'overview' }
}
