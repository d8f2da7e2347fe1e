import { useEffect, useState } from 'preact/hooks'
import type { PlatformDescription, ServiceDescription } from '../../../src/emit/explorer/description.ts'
import type { RowsColumn, RowsPage } from '../../../src/dev/rows.ts'
import { urlOf } from '../base.ts'
import { version } from '../platform.ts'
import { linkTo, type Route } from '../route.ts'
import { useStore } from '../store.ts'
import { Missing } from './service.tsx'

type RowsRoute = Route & { readonly view: 'rows' }

/** An id, with spaces around it. */
const UUID = '\\s*[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\\s*'
/** Longer values are cut: the server sends one character more. */
const MAX_CHARACTERS = 300

/** The rows in a service's database, as the developer of the platform sees them: whoever may read them. */
export function RowsView({ platform, route }: { platform: PlatformDescription; route: RowsRoute }) {
  const service = platform.services.find(({ name }) => name === (route.service ?? platform.services[0]?.name))
  const part = tablesOf(service).find(({ name }) => name === (route.part ?? service?.parts[0]?.name))
  /** The ids after which the pages up to the shown one begin. */
  const [before, setBefore] = useState<readonly string[]>([])
  const [refreshed, refresh] = useState(0)
  const [page, setPage] = useState<RowsPage | string>()
  const number = useStore(version)
  const { filter } = route
  const target =
    service === undefined || part === undefined
      ? undefined
      : targetOf(service.directory, part.name, filter, before.at(-1))

  useEffect(() => {
    let isOutdated = false
    if (target !== undefined)
      void loadRows(target).then((loaded) => {
        if (!isOutdated) setPage(loaded)
      })
    return () => {
      isOutdated = true
    }
  }, [target, refreshed, number])

  if (service === undefined || part === undefined) return <Missing name={route.service ?? ''} />
  const links = linksOf(platform, service.name, part.name)
  const last = typeof page === 'object' ? page.rows.at(-1)?.[0] : undefined
  return (
    <>
      <div class="title">
        <h1>Rows</h1>
        <select
          aria-label="Table"
          value={`${service.name}/${part.name}`}
          onChange={({ currentTarget: { value } }) => {
            const [name, entity] = value.split('/')
            location.hash = linkTo({ view: 'rows', service: name, part: entity, filter: undefined })
          }}
        >
          {platform.services.flatMap((each) =>
            tablesOf(each).map(({ name, title }) => (
              <option key={`${each.name}/${name}`} value={`${each.name}/${name}`}>
                {title}
              </option>
            )),
          )}
        </select>
        <button type="button" onClick={() => refresh(refreshed + 1)}>
          Refresh
        </button>
      </div>
      <p class="muted">
        What the database on this machine holds, whoever may read it. The greatest id is first: the newest
        entity, except among users. Only <code>portico dev</code> shows rows.
      </p>
      {typeof page === 'object' && (
        <Filter route={route} service={service.name} part={part.name} page={page} />
      )}
      {typeof page === 'string' && (
        <p role="alert">
          <span class="status-message">{page}.</span>{' '}
          <a href={linkTo({ view: 'rows', service: service.name, part: part.name, filter: undefined })}>
            All rows
          </a>
        </p>
      )}
      {typeof page === 'object' && (
        <>
          <div class="table rows" tabIndex={0} role="region" aria-label={`Rows of ${part.name}`}>
            <table>
              <thead>
                <tr>
                  {page.columns.map(({ name }) => (
                    <th key={name} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {page.rows.map((row) => (
                  <tr key={row[0]}>
                    {page.columns.map((column, index) => (
                      <td key={column.name} class={isLong(row[index]) ? 'long' : ''}>
                        <Value value={row[index] ?? null} column={column} target={links.get(column.name)} />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {page.rows.length === 0 && <p>{filter === undefined ? 'No rows' : 'No rows with this id'}</p>}
          <div class="title" role="group" aria-label="Pages">
            <button
              type="button"
              disabled={before.length === 0}
              onClick={() => setBefore(before.slice(0, -1))}
            >
              Previous
            </button>
            <button
              type="button"
              disabled={!page.hasMore || typeof last !== 'string'}
              onClick={() => typeof last === 'string' && setBefore([...before, last])}
            >
              Next
            </button>
          </div>
        </>
      )}
    </>
  )
}

/** The tables of a service whose rows are shown, by the names that the server knows. */
function tablesOf(service: ServiceDescription | undefined): readonly { name: string; title: string }[] {
  if (service === undefined) return []
  return [
    ...service.parts.map(({ name, isStruct }) => ({
      name,
      title: isStruct ? `${service.name}: ${name}` : service.name,
    })),
    ...(service.hasJobs ? [{ name: 'job', title: `${service.name}: jobs` }] : []),
  ]
}

/** Selects the rows with an id in a column of ids. */
function Filter({
  route: { filter },
  service,
  part,
  page,
}: {
  route: RowsRoute
  service: string
  part: string
  page: RowsPage
}) {
  const ids = page.columns.filter(({ type }) => type === 'uuid')
  const [column, setColumn] = useState(filter?.column ?? 'id')
  const [id, setId] = useState(filter?.id ?? '')
  return (
    <form
      class="filter"
      onSubmit={(event) => {
        event.preventDefault()
        const wanted = id.trim()
        const next = wanted === '' ? undefined : { column, id: wanted }
        location.hash = linkTo({ view: 'rows', service, part, filter: next })
      }}
    >
      <select
        aria-label="Column"
        value={column}
        onChange={({ currentTarget }) => setColumn(currentTarget.value)}
      >
        {ids.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <input
        type="search"
        placeholder="An id; empty for all rows"
        aria-label="Id"
        pattern={UUID}
        title="36 characters, such as 0199c5f0-3f2a-7c11-9d5e-1b2c3d4e5f60"
        value={id}
        onInput={({ currentTarget }) => setId(currentTarget.value)}
      />
      <button type="submit">Filter</button>
    </form>
  )
}

function Value({
  value,
  column: { type },
  target,
}: {
  value: string | null
  column: RowsColumn
  target: Target | undefined
}) {
  if (value === null) return <span class="muted">null</span>
  if (type === 'bytea') return <span class="muted">{Number(value).toLocaleString('en')} bytes</span>
  if (type !== 'uuid')
    return <>{value.length > MAX_CHARACTERS ? `${value.slice(0, MAX_CHARACTERS)}…` : value}</>
  if (target === undefined) return <code>{value}</code>
  const [service, part] = target
  return (
    <a href={linkTo({ view: 'rows', service, part, filter: { column: 'id', id: value } })}>
      <code>{value}</code>
    </a>
  )
}

/** Whether a value needs several lines. */
function isLong(value: string | null | undefined): boolean {
  return (value?.length ?? 0) > 40
}

type Target = readonly [service: string, part: string]

/** The service and the part that the ids in each column are of. */
function linksOf(
  { services, authentication }: PlatformDescription,
  service: string,
  part: string,
): ReadonlyMap<string, Target> {
  const parts = services.find(({ name }) => name === service)?.parts ?? []
  const attributes = parts.find(({ name }) => name === part)?.attributes ?? []
  const [main] = parts
  return new Map([
    ...(main === undefined ? [] : [['_parent', [service, main.name]] as const]),
    ...(authentication === undefined
      ? []
      : [['_owner', [authentication.name, authentication.name]] as const]),
    ...attributes.flatMap(({ name, references }) =>
      references === undefined ? [] : [[name, references] as const],
    ),
  ])
}

function targetOf(directory: string, part: string, filter: RowsRoute['filter'], before?: string): string {
  const query = new URLSearchParams({ ...filter, ...(before === undefined ? {} : { before }) }).toString()
  return `/_explorer/rows/${directory}/${part}${query === '' ? '' : `?${query}`}`
}

/** Loads a page of rows, or the reason why it could not be loaded. */
async function loadRows(target: string): Promise<RowsPage | string> {
  const response = await fetch(urlOf(target)).catch(() => undefined)
  if (response?.ok === true) return (await response.json()) as RowsPage
  if (response?.status === 400) return 'This is not an id'
  if (response?.status === 404) return 'There is no such table or column'
  return 'Could not read the rows: the database does not respond, or is about to change'
}
