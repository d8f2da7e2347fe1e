import { codeFile } from '../kit/code-file.ts'
import { braces, type Code, call, code, join, list, when } from '../kit/layout.ts'
import { has, refersToItself, type ServiceScope } from './access.ts'

/** The checks of access to a service's own entity that the code of the service calls. */
export interface AccessChecks {
  /** The call that throws unless the caller may read the entity: `requireOwn`. */
  readonly read: string
  /** The same for writing. */
  readonly write: string
}

/** What the checks are called, by who may read and write. */
export function accessChecks({ readLimited, writeLimited }: ServiceScope): AccessChecks {
  if (readLimited) return { read: 'requireOwn', write: 'requireOwn' }
  return { read: 'requireExisting', write: writeLimited ? 'requireWritable' : 'requireExisting' }
}

/** `access.requireOwn(id, caller)`, without the caller where that makes no difference. */
export function accessCall(scope: ServiceScope, kind: keyof AccessChecks, id: string): string {
  const check = accessChecks(scope)[kind]
  return `access.${check}(${check === 'requireExisting' ? id : `${id}, caller`})`
}

/** The checks that are used. */
function usedChecks(scope: ServiceScope): Set<string> {
  const { entity, structs } = scope.service
  const checks = accessChecks(scope)
  const reads = has(entity, 'read') || structs.some((struct) => has(struct, 'read') || has(struct, 'list'))
  const writes = [entity, ...structs].some(
    (holder) =>
      has(holder, 'update') || has(holder, 'delete') || (holder !== entity && has(holder, 'create')),
  )
  return new Set([...(reads ? [checks.read] : []), ...(writes ? [checks.write] : [])])
}

/** Whether some check looks an entity up. */
export function checksAccess(scope: ServiceScope): boolean {
  return usedChecks(scope).size > 0
}

/** `access.ts`: who may do what with the service's own entities; `undefined` where nothing asks. */
export function accessFile(scope: ServiceScope): string | undefined {
  const { service, readLimited, called } = scope
  const name = service.names.declared
  const used = usedChecks(scope)
  const looksUp = called || refersToItself(service)
  if (used.size === 0 && !looksUp) return undefined

  const file = codeFile('access.ts')
  const statements = file.type('statements.ts', 'Statements')
  const notFound = () => file.value('errors.ts', 'notFound')
  const caller = () => file.type('identity.ts', 'Caller')
  const parts: Code[] = []
  if (used.has('requireExisting')) {
    parts.push(code`    /** Throws 404 unless there is such an entity. */
    async requireExisting(id: string): Promise<void> {
      const [found] = await statements.find.execute({ id })
      ${when('found === undefined', `throw ${notFound()}('${name}', id)`)}
    },`)
  }
  if (used.has('requireOwn')) {
    parts.push(code`    /** Throws 404 unless there is such an entity of the caller's. */
    async requireOwn(id: string, caller: ${caller()}): Promise<void> {
      const [found] = await statements.find.execute({ id })
      ${when('found?.owner !== caller.id', `throw ${notFound()}('${name}', id)`)}
    },`)
  }
  if (used.has('requireWritable')) {
    parts.push(code`    /** Throws 404 unless there is such an entity, 403 unless it is the caller's. */
    async requireWritable(id: string, caller: ${caller()}): Promise<void> {
      const [found] = await statements.find.execute({ id })
      ${when('found === undefined', `throw ${notFound()}('${name}', id)`)}
      if (found.owner !== caller.id) throw ${file.value('errors.ts', 'forbidden')}()
    },`)
  }
  if (looksUp) {
    const parameters = readLimited ? `, caller: ${caller()}` : ''
    const keys = ["ids: `{${wellFormed.join(',')}}`", ...(readLimited ? ['_caller: caller.id'] : [])]
    parts.push(code`    name: '${name}',

    /** Which of the ids are missing, or are not for the caller to read; a malformed id is one that is missing. */
    async unknown(ids: readonly string[]${parameters}): Promise<Set<string>> {
      const wellFormed = ids.filter(${file.value('ids.ts', 'isUuid')})
      const found = await ${call('statements.readable.execute', braces(keys))}
      const known = new Set(found.map(({ id }) => id))
      return new Set(ids.filter((id) => !known.has(id.toLowerCase())))
    },`)
  }
  return file.text(code`/** Who may do what with the entities of the service. */
${list('export function createAccess(', [`statements: ${statements}['${service.names.camel}']`], ')')} {
  return {
${join(parts, '\n\n')}
  }
}

export type Access = ReturnType<typeof createAccess>`)
}
