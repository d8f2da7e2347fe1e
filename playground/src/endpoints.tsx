import type { JSX } from 'preact'
import type { GeneratedFile } from '../../src/emit/contract.ts'

interface Operation {
  readonly summary?: string
  readonly security?: readonly unknown[]
}

interface ApiDescription {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly security?: readonly unknown[]
}

const METHODS: readonly string[] = ['get', 'post', 'put', 'patch', 'delete']

/** The endpoints of a project, from its API description. */
export function Endpoints({ files }: { readonly files: readonly GeneratedFile[] }): JSX.Element {
  const content = files.find(({ path }) => path.startsWith('api/') && path.endsWith('.json'))?.content ?? '{}'
  const { paths = {}, security = [] } = JSON.parse(content) as ApiDescription
  const rows = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => (
        <tr key={`${method} ${path}`}>
          <td class={`method ${method}`}>{method.toUpperCase()}</td>
          <td>
            <code>{path}</code>
          </td>
          <td>{operation.summary}</td>
          <td>{(operation.security ?? security).length > 0 ? 'with a token' : 'everyone'}</td>
        </tr>
      )),
  )
  return (
    <table>
      <thead>
        <tr>
          <th>Method</th>
          <th>Path</th>
          <th>Summary</th>
          <th>For</th>
        </tr>
      </thead>
      <tbody>{rows}</tbody>
    </table>
  )
}
