import type { PlatformDescription, ServiceDescription } from '../../../src/emit/explorer/description.ts'
import { AccessMark, HealthMark, MethodMark } from '../parts/marks.tsx'
import { health } from '../platform.ts'
import { addressOf } from '../route.ts'
import { useStore } from '../store.ts'

/** Every service at a glance: what it is, who may use it, and its endpoints. */
export function Overview({ platform }: { platform: PlatformDescription }) {
  const { name, documentation, services } = platform
  const endpoints = services.flatMap(({ parts }) => parts.flatMap((part) => part.endpoints)).length
  const isFirstVisit = platform.authentication !== undefined
  return (
    <>
      <h1>{name}</h1>
      {documentation !== '' && <p class="lead">{documentation}</p>}
      <p class="muted">
        {services.length} services, {endpoints} endpoints at <code>{location.origin}/api</code>.{' '}
        <a href="/api/openapi.json">OpenAPI</a>
        {isFirstVisit && (
          <>
            {' '}
            · <strong>New user</strong> registers somebody; then try any endpoint.
          </>
        )}
      </p>
      <ul class="cards">
        {services.map((service) => (
          <Card key={service.name} service={service} />
        ))}
      </ul>
    </>
  )
}

function Card({ service }: { service: ServiceDescription }) {
  const states = useStore(health)
  const { name, directory, access, isOpen, parts } = service
  return (
    <li class="card">
      <div class="card-head">
        <h2>
          <a href={addressOf({ view: 'service', service: name })}>{name}</a>
        </h2>
        <HealthMark health={states[directory]} />
      </div>
      <p class="access">
        <AccessMark isOpen={isOpen} /> {access}
      </p>
      <p class="doc">{parts[0]?.documentation}</p>
      {parts.map((part) => (
        <div key={part.name} class="chips">
          {part.isStruct && <span class="chips-name">{part.name}</span>}
          {part.endpoints.map(({ id, operation, method, path, access: who }) => (
            <a
              key={id}
              class="chip"
              href={addressOf({ view: 'try', service: name, operation: id })}
              title={`${method} ${path} — ${who}`}
              aria-label={`${method} ${operation} ${part.name}, ${path}, ${who}`}
            >
              <MethodMark method={method} /> {operation}
            </a>
          ))}
        </div>
      ))}
    </li>
  )
}
