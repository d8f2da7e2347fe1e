import type { PlatformDescription } from '../../../src/emit/explorer/description.ts'
import { connection } from '../platform.ts'
import { addressOf, type Route } from '../route.ts'
import { useStore } from '../store.ts'
import { theme, type Theme } from '../theme.ts'
import { UserMenu } from './user-menu.tsx'

/** The project, ways through the page, who sends requests, and the theme. */
export function Header({ platform, place }: { platform: PlatformDescription; place: Route }) {
  const state = useStore(connection)
  return (
    <header class="header">
      <a class="brand" href={addressOf({ view: 'overview' })}>
        <img src="/_explorer/icon.svg" alt="" width="26" height="26" />
        <span>{platform.name}</span>
      </a>
      <nav aria-label="Pages" class="tabs">
        <Tab view="overview" label="Overview" place={place} />
        <Tab view="diagram" label="Diagram" place={place} />
      </nav>
      <span role="status" class="connection">
        {state === 'lost' ? 'Not connected: is portico dev running?' : ''}
      </span>
      {platform.authentication !== undefined && <UserMenu path={platform.authentication.path} />}
      <ThemeChoice />
    </header>
  )
}

function Tab({ view, label, place }: { view: 'overview' | 'diagram'; label: string; place: Route }) {
  return (
    <a href={addressOf({ view })} aria-current={place.view === view ? 'page' : undefined}>
      {label}
    </a>
  )
}

function ThemeChoice() {
  const chosen = useStore(theme)
  return (
    <select
      aria-label="Theme"
      class="theme"
      value={chosen}
      onChange={({ currentTarget }) => theme.set(currentTarget.value as Theme)}
    >
      <option value="auto">Auto</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  )
}
