import type { PlatformDescription } from '../../../src/emit/explorer/description.ts'
import { connection } from '../platform.ts'
import { linkTo, type Route } from '../route.ts'
import { useStore } from '../store.ts'
import { theme, type Theme } from '../theme.ts'
import { UserMenu } from './user-menu.tsx'

/** The name of the project, the navigation, the current user and the theme. */
export function Header({ platform, current }: { platform: PlatformDescription; current: Route }) {
  const state = useStore(connection)
  return (
    <header class="header">
      <a class="brand" href={linkTo({ view: 'overview' })}>
        <img src="_explorer/icon.svg" alt="" width="26" height="26" />
        <span>{platform.name}</span>
      </a>
      <nav aria-label="Pages" class="tabs">
        <Tab to={{ view: 'overview' }} label="Overview" current={current} />
        <Tab to={{ view: 'diagram' }} label="Diagram" current={current} />
        <Tab to={{ view: 'access' }} label="Access" current={current} />
        {platform.isLive && <Tab to={ROWS} label="Rows" current={current} />}
      </nav>
      <span role="status" class="connection">
        {state === 'lost' ? 'Connection lost. Is `portico dev` still running?' : ''}
      </span>
      {platform.authentication !== undefined && (
        <UserMenu path={platform.authentication.path} roles={platform.authentication.grantableRoles} />
      )}
      <ThemeSelect />
    </header>
  )
}

const ROWS: Route = { view: 'rows', service: undefined, part: undefined, filter: undefined }

function Tab({ to, label, current }: { to: Route; label: string; current: Route }) {
  return (
    <a href={linkTo(to)} aria-current={current.view === to.view ? 'page' : undefined}>
      {label}
    </a>
  )
}

function ThemeSelect() {
  const selected = useStore(theme)
  return (
    <select
      aria-label="Theme"
      class="theme"
      value={selected}
      onChange={({ currentTarget }) => theme.set(currentTarget.value as Theme)}
    >
      <option value="auto">Auto</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  )
}
