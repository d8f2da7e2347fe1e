import type { PlatformDescription, ServiceDescription } from '../../../src/emit/explorer/description.ts'
import { AccessIcon, HealthBadge, MethodBadge } from '../components/badges.tsx'
import { health } from '../platform.ts'
import { counted } from '../../../src/naming.ts'
import { urlOf } from '../base.ts'
import { linkTo } from '../route.ts'
import { useStore } from '../store.ts'

/** An overview of all services: what each stores, who can access it, and its endpoints. */
export function Overview({ platform }: { platform: PlatformDescription }) {
  const { name, documentation, services } = platform
  const endpoints = services.flatMap(({ parts }) => parts.flatMap((part) => part.endpoints)).length
  const hasUsers = platform.authentication !== undefined
  return (
    <>
      <h1>{name}</h1>
      {documentation !== '' && <p class="lead">{documentation}</p>}
      <p class="muted">
        {counted(services.length, 'service')}, {counted(endpoints, 'endpoint')} at{' '}
        <code>{urlOf('/api')}</code>. <a href="api/openapi.json">OpenAPI document</a>
        {hasUsers && (
          <>
            {' '}
            · Click <strong>New user</strong> to register a user, then try an endpoint.
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
          <a href={linkTo({ view: 'service', service: name })}>{name}</a>
        </h2>
        <HealthBadge health={states[directory]} />
      </div>
      <p class="access">
        <AccessIcon isOpen={isOpen} /> {access}
      </p>
      <p class="doc">{parts[0]?.documentation}</p>
      {parts.map((part) => (
        <div key={part.name} class="chips">
          {part.isStruct && <span class="chips-name">{part.name}</span>}
          {part.endpoints.map(({ id, operation, method, path, access: allowed }) => (
            <a
              key={id}
              class="chip"
              href={linkTo({ view: 'try', service: name, operation: id })}
              title={`${method} ${path} — ${allowed}`}
              aria-label={`${method} ${operation} ${part.name}, ${path}, ${allowed}`}
            >
              <MethodBadge method={method} /> {operation}
            </a>
          ))}
        </div>
      ))}
    </li>
  )
}
