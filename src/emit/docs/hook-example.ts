import type { Attribute, Operation, Platform, Service } from '../../model/platform.ts'

/** A service and a first `setup.ts` for it that compiles: a hook where it has an operation for one, and a route. */
export interface HookExample {
  readonly service: Service
  readonly lines: readonly string[]
}

/** An example for the first service that takes requests with a body, else for the first one at all. */
export function hookExample({ services }: Platform): HookExample | undefined {
  const service = services.find((candidate) => hasOperation(candidate, 'create')) ?? services[0]
  return service && { service, lines: setupLines(service) }
}

function setupLines(service: Service): string[] {
  const hook = hookLines(service)
  const throws = hook.some((line) => line.includes('HookError'))
  const { declared, kebab } = service.names
  return [
    `import { ${throws ? 'HookError, ' : ''}type Env, type Router } from './hooks.ts'`,
    '',
    'export default function setup(env: Env, router: Router): void {',
    ...hook,
    `  // Seen at /api/${kebab}/{id}/known`,
    `  router.get('/${kebab}/:id/known', async (c) => {`,
    `    const found = await env.datastore.read${declared}({ id: c.req.param('id') })`,
    `    return found === undefined ? c.var.fail(404, 'No such ${declared}') : c.json({ id: found.id })`,
    '  })',
    '}',
  ]
}

function hookLines(service: Service): string[] {
  if (!hasOperation(service, 'create')) {
    const [first] = service.entity.endpoints
    if (first === undefined) return []
    const hook = `before${capitalised(first.operation)}`
    return [`  env.hooks.${hook}(({ log }) => log.info('${hook}'))`]
  }
  const checks = service.entity.attributes.filter(({ requested }) => requested).map(checkOf)
  const check = checks.find((line) => line !== undefined)
  const body = check ?? `env.log.info('A ${service.names.declared} is about to be stored')`
  return [
    `  env.hooks.beforeCreate((${check === undefined ? '' : '_env, request'}) => {`,
    `    ${body}`,
    '  })',
  ]
}

/** A statement that refuses one value of an attribute. */
function checkOf({ names, type }: Attribute): string | undefined {
  const value = `request.${names.declared}`
  const refuse = (condition: string, what: string): string =>
    `if (${condition}) throw new HookError(400, '${names.declared} ${what}')`
  if (type.kind === 'string') return refuse(`${value}.trim() === ''`, 'is blank')
  return type.kind === 'int' || type.kind === 'float'
    ? refuse(`${value} === 13`, 'brings bad luck')
    : undefined
}

function hasOperation({ entity }: Service, wanted: Operation): boolean {
  return entity.endpoints.some(({ operation }) => operation === wanted)
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
