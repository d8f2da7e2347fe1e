import type { PartDescription, PlatformDescription } from '../../../src/emit/explorer/description.ts'
import { AccessMark, HealthMark, MethodMark } from '../parts/marks.tsx'
import { health } from '../platform.ts'
import { addressOf } from '../route.ts'
import { useStore } from '../store.ts'

/** One service: its endpoints with who may use them, and its attributes. */
export function ServiceView({ platform, name }: { platform: PlatformDescription; name: string }) {
  const states = useStore(health)
  const service = platform.services.find((each) => each.name === name)
  if (service === undefined) return <Missing name={name} />
  const { directory, access, isOpen, path, parts } = service
  return (
    <>
      <div class="title">
        <h1>{name}</h1>
        <HealthMark health={states[directory]} words />
        <a class="button" href={addressOf({ view: 'try', service: name, operation: undefined })}>
          Reference and requests
        </a>
      </div>
      <p class="access">
        <AccessMark isOpen={isOpen} /> {access} · <code>{path}</code>
      </p>
      {parts.map((part) => (
        <Part key={part.name} part={part} service={name} />
      ))}
    </>
  )
}

/** Said where a service is asked for that the definition does not have any more. */
export function Missing({ name }: { name: string }) {
  return (
    <>
      <h1>No service {name}</h1>
      <p>
        The definition may have changed. <a href={addressOf({ view: 'overview' })}>All services</a>
      </p>
    </>
  )
}

function Part({ part, service }: { part: PartDescription; service: string }) {
  const { name, isStruct, documentation, endpoints, attributes } = part
  return (
    <section aria-label={name} class="part">
      {isStruct && <h2>{name}</h2>}
      {documentation !== '' && <p class="lead">{documentation}</p>}
      <div class="table" tabIndex={0} role="region" aria-label={`Endpoints of ${name}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">Endpoint</th>
              <th scope="col">What it does</th>
              <th scope="col">Who may</th>
              <th scope="col">
                <span class="unseen">Try</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {endpoints.map(({ id, operation, method, path, access }) => (
              <tr key={id}>
                <td>
                  <MethodMark method={method} /> <code>{path}</code>
                </td>
                <td>{operation}</td>
                <td>{access}</td>
                <td>
                  <a
                    class="button small"
                    href={addressOf({ view: 'try', service, operation: id })}
                    aria-label={`Try ${operation} ${name}`}
                  >
                    Try
                  </a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {attributes.length > 0 && (
        <div class="table" tabIndex={0} role="region" aria-label={`Attributes of ${name}`}>
          <table>
            <thead>
              <tr>
                <th scope="col">Attribute</th>
                <th scope="col">Type</th>
                <th scope="col">Meaning</th>
              </tr>
            </thead>
            <tbody>
              {attributes.map((attribute) => (
                <tr key={attribute.name}>
                  <td>
                    <code>{attribute.name}</code>
                  </td>
                  <td>{attribute.detail}</td>
                  <td>{attribute.documentation}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
