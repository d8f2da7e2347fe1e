import { createStore } from './store.ts'

/** The view that the page shows. The fragment of its URL holds it, so that links and the back button work. */
export type Route =
  | { readonly view: 'overview' }
  | { readonly view: 'diagram' }
  | { readonly view: 'service'; readonly service: string }
  | { readonly view: 'try'; readonly service: string; readonly operation: string | undefined }

/** The current view. */
export const route = createStore(parseRoute(location.hash))

addEventListener('hashchange', () => {
  route.set(parseRoute(location.hash))
  scrollTo(0, 0)
})

/** The fragment of a view. */
export function linkTo(to: Route): string {
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
