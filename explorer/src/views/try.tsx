import type { PlatformDescription, ServiceDescription } from '../../../src/emit/explorer/description.ts'
import { MethodBadge } from '../components/badges.tsx'
import { CodeText } from '../components/code-text.tsx'
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
      <RequestValues service={service} operation={operation} />
      <iframe
        key={query.toString()}
        title={`Reference of ${name}`}
        src={`_explorer/reference.html?${query.toString()}`}
      />
    </>
  )
}

/** The values that the attributes in a request can have, next to where they are filled in. */
function RequestValues({
  service,
  operation,
}: {
  service: ServiceDescription
  operation: string | undefined
}) {
  const endpoint = service.parts.flatMap(({ endpoints }) => endpoints).find(({ id }) => id === operation)
  const method = endpoint?.method ?? ''
  const part = service.parts.find(({ endpoints }) => endpoints.some(({ id }) => id === operation))
  const ofPart = ['POST', 'PUT', 'PATCH'].includes(method) ? part?.attributes : undefined
  const attributes = endpoint?.attributes ?? ofPart ?? []
  const sent = attributes.filter(({ inRequests }) => inRequests !== 'no')
  if (sent.length === 0) return null
  const isPatch = endpoint?.operation === 'patch'
  return (
    <details class="values" open={innerWidth > 900}>
      <summary>Values in the request</summary>
      <div tabIndex={0} role="region" aria-label="Values in the request">
        <dl>
          {sent.map(({ name, values, inRequests }) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>
                <CodeText text={isPatch ? values : `${values}; ${inRequests}`} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </details>
  )
}
