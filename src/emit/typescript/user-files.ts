import type { ServiceScope } from './access.ts'

/** The first text of `setup.ts`, which is the user's from then on. */
export function setupText({ service }: ServiceScope): string {
  const { kebab } = service.names
  const [first] = service.entity.endpoints
  const kind =
    first === undefined
      ? 'before...'
      : `before${first.operation.charAt(0).toUpperCase()}${first.operation.slice(1)}`
  return `import type { Env, Router } from './hooks.ts'

/**
 * Registers hooks (\`env.hooks.${kind}(...)\`) and further routes (\`router.get('/${kebab}/...', ...)\`). It runs once,
 * before the service listens. This file is yours: it is never written again.
 */
export default async function setup(_env: Env, _router: Router): Promise<void> {}
`
}

/** The first text of `datastore.ts`, which is the user's from then on. */
export function datastoreText(_scope: ServiceScope): string {
  return `import { DataAccess } from './data-access.ts'

/**
 * What hooks and routes have as \`env.datastore\`: the generated statements, and yours.
 * This file is yours: it is never written again.
 */
export class Datastore extends DataAccess {}
`
}
