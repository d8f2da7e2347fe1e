import type { PlatformDescription } from '../../../src/emit/explorer/description.ts'
import { MethodMark } from '../parts/marks.tsx'
import { version } from '../platform.ts'
import { addressOf } from '../route.ts'
import { useStore } from '../store.ts'
import { Missing } from './service.tsx'

interface TryProps {
  readonly platform: PlatformDescription
  readonly name: string
  readonly operation: string | undefined
}

/** The reference of one service, in which its requests can be sent, in a frame with a policy of its own. */
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
        <a class="button" href={addressOf({ view: 'service', service: name })}>
          At a glance
        </a>
      </div>
      <nav aria-label="Endpoints" class="chips">
        {service.parts.map((part) => (
          <>
            {part.isStruct && part.endpoints.length > 0 && <span class="chips-label">{part.name}</span>}
            {part.endpoints.map(({ id, method, operation: what }) => (
              <a
                key={id}
                class="chip"
                href={addressOf({ view: 'try', service: name, operation: id })}
                aria-current={id === operation ? 'page' : undefined}
                aria-label={`${method} ${what} ${part.name}`}
              >
                <MethodMark method={method} /> {what}
              </a>
            ))}
          </>
        ))}
        <a
          class="chip"
          href={addressOf({ view: 'try', service: name, operation: undefined })}
          aria-current={operation === undefined ? 'page' : undefined}
        >
          all
        </a>
      </nav>
      <iframe
        key={query.toString()}
        title={`Reference of ${name}`}
        src={`/_explorer/reference.html?${query.toString()}`}
      />
    </>
  )
}
