import { useState } from 'preact/hooks'
import type { PlatformDescription } from '../../../src/emit/explorer/description.ts'
import { health } from '../platform.ts'
import { linkTo, type Route } from '../route.ts'
import { useStore } from '../store.ts'
import { HealthBadge } from './badges.tsx'

/** The list of services with their health, and a filter. */
export function Sidebar({ platform, current }: { platform: PlatformDescription; current: Route }) {
  const [filter, setFilter] = useState('')
  const states = useStore(health)
  const query = filter.trim().toLowerCase()
  const shown = platform.services.filter(
    ({ name, parts }) =>
      name.toLowerCase().includes(query) || parts.some((part) => part.name.toLowerCase().includes(query)),
  )
  const selected = 'service' in current ? current.service : undefined
  return (
    <nav class="sidebar" aria-label="Services">
      <input
        type="search"
        placeholder="Filter services"
        aria-label="Filter services"
        value={filter}
        onInput={({ currentTarget }) => setFilter(currentTarget.value)}
      />
      <ul>
        {shown.map(({ name, directory }) => (
          <li key={name}>
            <a
              href={linkTo({ view: 'service', service: name })}
              aria-current={name === selected ? 'page' : undefined}
            >
              <HealthBadge health={states[directory]} />
              <span>{name}</span>
            </a>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="muted">No matching services</p>}
    </nav>
  )
}
