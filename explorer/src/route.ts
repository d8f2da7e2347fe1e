import { createStore } from './store.ts'

/** The view that the page shows. The fragment of its URL holds it, so that links and the back button work. */
export type Route =
  | { readonly view: 'overview' }
  | { readonly view: 'diagram' }
  | { readonly view: 'access' }
  | {
      readonly view: 'rows'
      /** The first service and its entity without them. */
      readonly service: string | undefined
      readonly part: string | undefined
      /** Only rows with this id in this column. */
      readonly filter: { readonly column: string; readonly id: string } | undefined
    }
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
  if (to.view === 'diagram' || to.view === 'access') return `#/${to.view}`
  if (to.view === 'rows') {
    const { service, part, filter } = to
    return ['#/rows', service, part, filter?.column, filter?.id]
      .filter((each) => each !== undefined)
      .join('/')
  }
  if (to.view === 'service') return `#/service/${to.service}`
  return `#/try/${to.service}${to.operation === undefined ? '' : `/${to.operation}`}`
}

function parseRoute(fragment: string): Route {
  const [view, service, operation, column, id] = fragment.replace(/^#\/?/, '').split('/')
  if (view === 'diagram' || view === 'access') return { view }
  if (view === 'rows')
    return { view, service, part: operation, filter: column && id ? { column, id } : undefined }
  if (view === 'service' && service) return { view, service }
  if (view === 'try' && service) return { view, service, operation }
  return { view: 'overview' }
}
