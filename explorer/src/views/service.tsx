import type { PartDescription, PlatformDescription } from '../../../src/emit/explorer/description.ts'
import { AccessIcon, HealthBadge, MethodBadge } from '../components/badges.tsx'
import { CustomCode } from '../components/custom-code.tsx'
import { CodeText } from '../components/code-text.tsx'
import { health } from '../platform.ts'
import { linkTo } from '../route.ts'
import { useStore } from '../store.ts'

/** One service: its endpoints, who can use them, and its attributes. */
export function ServiceView({ platform, name }: { platform: PlatformDescription; name: string }) {
  const states = useStore(health)
  const service = platform.services.find((each) => each.name === name)
  if (service === undefined) return <Missing name={name} />
  const { directory, access, isOpen, path, publicPaths, parts } = service
  return (
    <>
      <div class="title">
        <h1>{name}</h1>
        <HealthBadge health={states[directory]} showText />
        <span class="actions">
          {platform.isLive && (
            <a
              class="button"
              href={linkTo({ view: 'rows', service: name, part: parts[0]?.name, filter: undefined })}
            >
              Rows
            </a>
          )}
          <a class="button" href={linkTo({ view: 'try', service: name, operation: undefined })}>
            Reference
          </a>
        </span>
      </div>
      <p class="access">
        <AccessIcon isOpen={isOpen} />
        <span>
          {access} · <code>{path}</code>
        </span>
      </p>
      <CustomCode service={service} isLive={platform.isLive} />
      {publicPaths.map((each) => (
        <p key={each} class="muted">
          Anyone can call routes of its own code at <code>{each}</code> and below, without a token.
        </p>
      ))}
      {parts.map((part) => (
        <Part key={part.name} part={part} service={name} />
      ))}
    </>
  )
}

/** Shown for a service that is not in the definition, for example because it was removed. */
export function Missing({ name }: { name: string }) {
  return (
    <>
      <h1>Unknown service {name}</h1>
      <p>
        It may have been renamed or removed. <a href={linkTo({ view: 'overview' })}>All services</a>
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
              <th scope="col">Operation</th>
              <th scope="col">Access</th>
              <th scope="col">
                <span class="visually-hidden">Try</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {endpoints.map(({ id, operation, method, path, access }) => (
              <tr key={id}>
                <td>
                  <MethodBadge method={method} /> <code>{path}</code>
                </td>
                <td>{operation}</td>
                <td>{access}</td>
                <td>
                  <a
                    class="button small"
                    href={linkTo({ view: 'try', service, operation: id })}
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
                <th scope="col">Values</th>
                <th scope="col">In requests</th>
                <th scope="col">In responses</th>
                <th scope="col">Description</th>
              </tr>
            </thead>
            <tbody>
              {attributes.map((attribute) => (
                <tr key={attribute.name}>
                  <td>
                    <code>{attribute.name}</code>
                  </td>
                  <td>
                    <CodeText text={attribute.values} />
                  </td>
                  <td>
                    <CodeText text={attribute.inRequests} />
                  </td>
                  <td>{attribute.inResponses ? 'yes' : 'no'}</td>
                  <td>{attribute.documentation}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {part.combinations.map((combination) => (
        <p key={combination} class="muted">
          <CodeText text={`The combination of ${combination} is unique.`} />
        </p>
      ))}
    </section>
  )
}
