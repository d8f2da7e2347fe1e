import type { PlatformDescription, ServiceDescription } from '../../../src/emit/explorer/description.ts'
import type { Permission } from '../../../src/model/describe-access.ts'
import { MethodBadge } from '../components/badges.tsx'
import { CustomCode } from '../components/custom-code.tsx'
import { linkTo } from '../route.ts'

/** How a permission is written. */
const WORDS: Readonly<Record<Permission, string>> = { all: 'yes', own: 'own', once: 'once', none: 'no' }

/** Who may do what: each endpoint of all services by caller. */
export function AccessView({ platform }: { platform: PlatformDescription }) {
  const used = new Set(
    platform.services.flatMap(({ parts }) =>
      parts.flatMap(({ endpoints }) => endpoints.flatMap(({ permissions }) => permissions)),
    ),
  )
  return (
    <>
      <h1>Access</h1>
      <p class="lead">Who may do what, as the definition says.</p>
      {(used.has('own') || used.has('once')) && (
        <p class="muted">
          {used.has('own') && (
            <>
              <strong>own</strong>: only what the caller created.{' '}
            </>
          )}
          {used.has('once') && (
            <>
              <strong>once</strong>: one for each user.
            </>
          )}
        </p>
      )}
      {platform.services.map((service) => (
        <ServiceAccess key={service.name} service={service} platform={platform} />
      ))}
    </>
  )
}

function ServiceAccess({
  service,
  platform,
}: {
  service: ServiceDescription
  platform: PlatformDescription
}) {
  const { name, parts, publicPaths } = service
  const { callers } = platform
  return (
    <section aria-label={name} class="part">
      <h2>
        <a href={linkTo({ view: 'service', service: name })}>{name}</a>
      </h2>
      <div class="table" tabIndex={0} role="region" aria-label={`Access to ${name}`}>
        <table class="permissions">
          <thead>
            <tr>
              <th scope="col">Operation</th>
              {callers.map((caller) => (
                <th key={caller} scope="col">
                  {caller}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {parts.flatMap((part) =>
              part.endpoints.map(({ id, method, operation, permissions }) => (
                <tr key={id}>
                  <th scope="row">
                    <MethodBadge method={method} /> {operation}
                    {part.isStruct && ` ${part.name}`}
                  </th>
                  {permissions.map((permission, index) => (
                    <td key={index} class={permission}>
                      {WORDS[permission]}
                    </td>
                  ))}
                </tr>
              )),
            )}
            {publicPaths.map((path) => (
              <tr key={path}>
                <th scope="row">
                  <code>{path}</code> and below
                </th>
                <td colSpan={callers.length}>its own code decides, also without a token</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <CustomCode service={service} isLive={platform.isLive} />
    </section>
  )
}
