import { useState } from 'preact/hooks'
import type { PlatformDescription } from '../../../src/emit/explorer/description.ts'
import { health } from '../platform.ts'
import { addressOf, type Route } from '../route.ts'
import { useStore } from '../store.ts'
import { HealthMark } from './marks.tsx'

/** All services with their health, and a filter for them. */
export function Sidebar({ platform, place }: { platform: PlatformDescription; place: Route }) {
  const [filter, setFilter] = useState('')
  const states = useStore(health)
  const wanted = filter.trim().toLowerCase()
  const shown = platform.services.filter(
    ({ name, parts }) =>
      name.toLowerCase().includes(wanted) || parts.some((part) => part.name.toLowerCase().includes(wanted)),
  )
  const current = 'service' in place ? place.service : undefined
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
              href={addressOf({ view: 'service', service: name })}
              aria-current={name === current ? 'page' : undefined}
            >
              <HealthMark health={states[directory]} />
              <span>{name}</span>
            </a>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="muted">No service is called like that.</p>}
    </nav>
  )
}
