import type { FromPage, PageState, ToPage } from '../src/diagram/messages.ts'
import { View } from './view.ts'

/** What VS Code gives to the script of a webview, once. */
declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void
  getState(): PageState | undefined
  setState(state: PageState): void
}

const host = acquireVsCodeApi()
const uri = document.body.dataset['uri'] ?? ''
const notice = element('notice')
const view = new View(element('diagram'), element('zoom'), {
  follow: (name) => host.postMessage({ type: 'follow', name }),
  zoomed: (zoom) => host.setState({ uri, zoom }),
})

const { zoom } = host.getState() ?? {}
host.setState({ uri, ...(zoom === undefined ? {} : { zoom }) })
if (zoom !== undefined) view.zoom = zoom

window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
  if (data.type === 'mark') return view.mark(data.name)
  const isStale = data.svg === null
  if (data.svg !== null) view.show(data.svg)
  document.body.classList.toggle('stale', isStale)
  const text = isStale ? 'The definition has errors: this is how it was before.' : ''
  // A screen reader says it again whenever it is set.
  if (notice.textContent !== text) notice.textContent = text
})

const actions: Readonly<Record<string, () => void>> = {
  'zoom-out': () => view.zoomBy(1 / 1.25),
  zoom: () => view.setZoom(1),
  'zoom-in': () => view.zoomBy(1.25),
  fit: () => view.fit(),
  export: () => host.postMessage({ type: 'export' }),
}
for (const [id, action] of Object.entries(actions)) element(id).addEventListener('click', action)

const KEYS: Readonly<Record<string, string>> = {
  '-': 'zoom-out',
  '+': 'zoom-in',
  '=': 'zoom-in',
  '0': 'zoom',
  f: 'fit',
}
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const action = actions[KEYS[event.key] ?? '']
  if (action === undefined) return
  event.preventDefault()
  action()
})

host.postMessage({ type: 'ready' })

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no #${id}.`)
  return found
}
