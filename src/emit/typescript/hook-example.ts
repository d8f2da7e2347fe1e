import type { Attribute, Platform, Service } from '../../model/platform.ts'
import { hasOperation } from '../../model/entities.ts'

/** A service and an example of its `setup.ts`, which compiles: a hook, if it has an operation, and a route. */
interface HookExample {
  readonly service: Service
  readonly lines: readonly string[]
}

/** An example for the first service with a create operation, or else for the first service. */
export function hookExample({ services, authentication }: Platform): HookExample | undefined {
  const service = services.find((candidate) => hasOperation(candidate.entity, 'create')) ?? services[0]
  return service && { service, lines: setupLines(service, authentication !== undefined) }
}

function setupLines(service: Service, isAuthenticated: boolean): string[] {
  const hook = hookLines(service)
  const throws = hook.some((line) => line.includes('HookError'))
  const { declared, kebab } = service.names
  const check = [
    // The callers of public routes are unknown.
    ...(service.publicPaths.length === 0
      ? []
      : ["    if (c.var.caller === undefined) return c.var.fail(401, 'Unauthorized')"]),
    "    await env.access.requireReadable(c.req.param('id'), c.var.caller)",
  ]
  return [
    `import { ${throws ? 'HookError, ' : ''}type Env, type Router } from './hooks.ts'`,
    '',
    'export default function setup(env: Env, router: Router): void {',
    ...hook,
    `  // Clients call it as /api/${kebab}/{id}/exists`,
    `  router.get('/${kebab}/:id/exists', async (c) => {`,
    ...(isAuthenticated ? check : []),
    `    const found = await env.datastore.read${declared}({ id: c.req.param('id') })`,
    `    return found === undefined ? c.var.fail(404, '${declared} not found') : c.json({ id: found.id })`,
    '  })',
    '}',
  ]
}

function hookLines(service: Service): string[] {
  if (!hasOperation(service.entity, 'create')) {
    const [first] = service.entity.endpoints
    if (first === undefined) return []
    const hook = `before${capitalized(first.operation)}`
    return [`  env.hooks.${hook}(({ log }) => log.info('${hook}'))`]
  }
  const checks = service.entity.attributes.filter(({ inRequest }) => inRequest).map(checkOf)
  const check = checks.find((line) => line !== undefined)
  const body = check ?? `env.log.info('Creating ${service.names.declared}')`
  return [
    `  env.hooks.beforeCreate((${check === undefined ? '' : '_env, request'}) => {`,
    `    ${body}`,
    '  })',
  ]
}

/** A statement that rejects a value of an attribute. */
function checkOf({ names, type, optional }: Attribute): string | undefined {
  const value = `request.${names.declared}`
  const reject = (condition: string, what: string): string =>
    `if (${condition}) throw new HookError(400, '${names.declared} ${what}')`
  if (type.kind === 'string')
    return reject(`${value}${optional ? '?' : ''}.trim() === ''`, 'must not be blank')
  return type.kind === 'int' || type.kind === 'float'
    ? reject(`${value} === 13`, 'must not be 13')
    : undefined
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
