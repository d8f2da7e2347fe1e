import { createStore } from './store.ts'

/** `auto` follows the system. */
export type Theme = 'auto' | 'light' | 'dark'

const KEY = 'portico-theme'
const DARK = matchMedia('(prefers-color-scheme: dark)')

/** The selected theme. It is in local storage, which the reference in its frame reads too. */
export const theme = createStore<Theme>(readTheme())

/** Returns the theme in local storage. */
export function readTheme(): Theme {
  const stored = localStorage.getItem(KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'auto'
}

/** Whether the page is dark now. */
export function isDark(): boolean {
  const selected = readTheme()
  return selected === 'auto' ? DARK.matches : selected === 'dark'
}

/** Calls the listener when the page becomes light or dark, here or in another document of this origin. */
export function onThemeChange(listener: () => void): void {
  DARK.addEventListener('change', listener)
  addEventListener('storage', listener)
  theme.subscribe(listener)
}

/** Stores each selection, and sets the attribute of the document that the style sheet reads. */
export function applyTheme(): void {
  theme.subscribe(() => localStorage.setItem(KEY, theme.get()))
  updateDocument()
  onThemeChange(updateDocument)
}

function updateDocument(): void {
  document.documentElement.dataset['theme'] = isDark() ? 'dark' : 'light'
}
