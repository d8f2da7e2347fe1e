import { createStore } from './store.ts'

/** `auto` follows the system. */
export type Theme = 'auto' | 'light' | 'dark'

const KEY = 'portico-theme'
const DARK = matchMedia('(prefers-color-scheme: dark)')

/** What the reader chose. Kept, and shared with the reference in its frame. */
export const theme = createStore<Theme>(readTheme())

/** What was kept. */
export function readTheme(): Theme {
  const kept = localStorage.getItem(KEY)
  return kept === 'light' || kept === 'dark' ? kept : 'auto'
}

/** Whether the page is dark now. */
export function isDark(): boolean {
  const chosen = readTheme()
  return chosen === 'auto' ? DARK.matches : chosen === 'dark'
}

/** Calls the listener when the page becomes light or dark, here or in another document of this origin. */
export function onThemeChange(listener: () => void): void {
  DARK.addEventListener('change', listener)
  addEventListener('storage', listener)
  theme.subscribe(listener)
}

/** Keeps what the reader chooses, and marks the document with it for the style sheet. */
export function followTheme(): void {
  theme.subscribe(() => localStorage.setItem(KEY, theme.get()))
  mark()
  onThemeChange(mark)
}

function mark(): void {
  document.documentElement.dataset['theme'] = isDark() ? 'dark' : 'light'
}
