import type { FromPage, PageState, ToPage } from '../src/diagram/messages.ts'
import { View } from './view.ts'

/** VS Code provides this function to webviews. It can be called once. */
declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void
  getState(): PageState | undefined
  setState(state: PageState): void
}

const host = acquireVsCodeApi()
const uri = document.body.dataset['uri'] ?? ''
const notice = element('notice')
const saveState = (zoom: number | undefined): void =>
  host.setState(zoom === undefined ? { uri } : { uri, zoom })

const savedZoom = host.getState()?.zoom
saveState(savedZoom)
const view = new View(element('diagram'), element('zoom'), savedZoom, {
  onOpen: (name) => host.postMessage({ type: 'goToDeclaration', name }),
  onZoom: saveState,
})

window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
  if (data.type === 'highlight') return view.highlight(data.name)
  const isStale = data.svg === null
  if (data.svg !== null) view.show(data.svg)
  document.body.classList.toggle('stale', isStale)
  const text = isStale ? 'The definition has errors. This is the last valid diagram.' : ''
  // Screen readers announce the text each time it is set.
  if (notice.textContent !== text) notice.textContent = text
})

const actions: Readonly<Record<string, () => void>> = {
  'zoom-out': () => view.zoomBy(1 / 1.25),
  zoom: () => view.zoomTo(1),
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
  const result = document.getElementById(id)
  if (result === null) throw new Error(`The page has no #${id}`)
  return result
}
