import type { PlatformDescription } from '../../../src/emit/explorer/description.ts'
import { MethodBadge } from '../components/badges.tsx'
import { version } from '../platform.ts'
import { linkTo } from '../route.ts'
import { useStore } from '../store.ts'
import { Missing } from './service.tsx'

interface TryProps {
  readonly platform: PlatformDescription
  readonly name: string
  readonly operation: string | undefined
}

/** The API reference of one service, which can send requests. Its frame has a content security policy of its own. */
export function TryView({ platform, name, operation }: TryProps) {
  const number = useStore(version)
  const service = platform.services.find((each) => each.name === name)
  if (service === undefined) return <Missing name={name} />
  const query = new URLSearchParams({
    tags: service.parts.map((part) => part.name).join(','),
    v: String(number),
  })
  if (operation !== undefined) query.set('operation', operation)
  return (
    <>
      <div class="title">
        <h1>{name}</h1>
        <a class="button" href={linkTo({ view: 'service', service: name })}>
          Overview
        </a>
      </div>
      <nav aria-label="Endpoints" class="chips">
        {service.parts.map((part) => (
          <>
            {part.isStruct && part.endpoints.length > 0 && <span class="chips-label">{part.name}</span>}
            {part.endpoints.map(({ id, method, operation: label }) => (
              <a
                key={id}
                class="chip"
                href={linkTo({ view: 'try', service: name, operation: id })}
                aria-current={id === operation ? 'page' : undefined}
                aria-label={`${method} ${label} ${part.name}`}
              >
                <MethodBadge method={method} /> {label}
              </a>
            ))}
          </>
        ))}
        <a
          class="chip"
          href={linkTo({ view: 'try', service: name, operation: undefined })}
          aria-current={operation === undefined ? 'page' : undefined}
        >
          all endpoints
        </a>
      </nav>
      <iframe
        key={query.toString()}
        title={`Reference of ${name}`}
        src={`_explorer/reference.html?${query.toString()}`}
      />
    </>
  )
}
