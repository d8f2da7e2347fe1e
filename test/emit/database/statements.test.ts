import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compile } from '../../../src/compile.ts'
import { type SearchOrder, searchParts } from '../../../src/emit/database/search-parts.ts'
import { entityStatements, type Statement } from '../../../src/emit/database/statements.ts'
import { emitProject } from '../../../src/emit/project.ts'
import { parentKey, preparedStatementName } from '../../../src/emit/typescript/names.ts'
import { entitiesOf, writtenAttributes } from '../../../src/model/entities.ts'
import type { Entity, Service, Struct } from '../../../src/model/platform.ts'
import { sampleValues } from '../../../src/model/samples.ts'
import { CASES, readInput } from '../../goldens/cases.ts'

// Services in TypeScript build their statements with Drizzle. Here it compiles them for every golden case, and they are
// compared with the SQL of other languages.

const ID = '00000000-0000-7000-8000-000000000001'
const OWNER = { id: ID, roles: [] }
const directory = mkdtempSync(join(tmpdir(), 'portico-statements-'))
beforeAll(() => {
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(directory, 'node_modules'))
})
afterAll(() => rmSync(directory, { recursive: true }))

type Members = Readonly<Record<string, (...values: unknown[]) => unknown>>
/** The functions of a file with queries: those on behalf of a caller, and those of nobody in particular. */
type Made = Members | ((limits?: object) => Members)
const variantsOf = (made: Made): Members[] =>
  typeof made === 'function' ? [made({ reader: OWNER, writer: OWNER, creator: OWNER }), made()] : [made]
interface Query {
  readonly sql: string
  readonly params: readonly unknown[]
}

describe.each(CASES)('golden %s', (name) => {
  const { platform } = compile(readInput(name), { language: 'typescript' })
  if (platform === undefined) throw new Error('The definition has errors')
  const entities = platform.services.flatMap((service) =>
    entitiesOf(service).map((entity) => ({
      service,
      entity,
      struct: service.structs.find((struct) => struct === entity),
    })),
  )
  beforeAll(() => {
    for (const { path, content } of emitProject(platform).filter((file) =>
      /^package\.json$|\.ts$/.test(file.path),
    )) {
      mkdirSync(dirname(join(directory, name, path)), { recursive: true })
      writeFileSync(join(directory, name, path), content)
    }
  })
  const load = async (service: Service, entity: Entity) =>
    Object.values(
      (await import(
        join(directory, name, service.directory, 'src/queries', `${entity.names.kebab}.ts`)
      )) as Record<string, (db: object) => Made>,
    )
  const listOf = (struct: Struct | undefined) => (struct === undefined ? {} : { [parentKey(struct)]: ID })

  test.each(entities)(
    '$service.names.declared $entity.names.declared',
    async ({ service, struct, entity }) => {
      const compiled: Record<string, Statement> = {}
      const db = mockDatabase(({ sql, params }, prepared = '') => {
        compiled[prepared] = { text: sql, parameters: params.map(parameterName) }
        // Then an update with `@transitions` reads what is stored.
        return prepared === preparedStatementName('update', entity) ? false : undefined
      })
      const list = listOf(struct)
      const changes = Object.fromEntries(writtenAttributes(entity).map(({ names }) => [names.declared, 'x']))
      for (const members of (await load(service, entity)).flatMap((make) => variantsOf(make(db))))
        for (const [member, run] of Object.entries(members)) {
          if (member === 'unknown') await run([ID], OWNER)
          else if (member.startsWith('require')) await Promise.resolve(run(ID, OWNER)).catch(() => {})
          else if (member.startsWith('readMany')) await (struct === undefined ? run([ID]) : run(ID, [ID]))
          else if (!/^(?:list|batchesOf)/.test(member))
            // A caller without the role creates nothing.
            await Promise.resolve(run({ id: ID, ...list, ...changes }, OWNER)).catch(() => {})
          else await run(list)
        }
      const statements = Object.entries(entityStatements(service, struct)).flatMap(
        ([verb, statement]: [string, Statement | undefined]) =>
          statement === undefined ? [] : [[preparedStatementName(verb, entity), statement] as const],
      )
      expect(compiled).toEqual(Object.fromEntries(statements))
    },
  )

  test.each(entities.filter(({ entity }) => entity.criteria !== undefined))(
    'lists of $service.names.declared $entity.names.declared',
    async ({ service, struct, entity }) => {
      const parts = searchParts(service, struct) ?? expect.unreachable()
      const { filters, orders, access, count, upToId, orderByIdText } = parts
      const samples = new Map(
        sampleValues(entity.attributes).map(([{ names }, value]) => [names.declared, value]),
      )
      const read = async (query: object, found: readonly boolean[] = []) => {
        const compiled: string[] = []
        const db = mockDatabase(({ sql }) => {
          compiled.push(withoutNumbers(sql))
          return found[compiled.length - 1]
        })
        const members = (await load(service, entity)).map((make) => variantsOf(make(db))[0])
        for (const each of members)
          await each?.[`batchesOf${entity.names.declared}`]?.({ ...listOf(struct), ...query })
        return compiled
      }
      const statement = (
        { select, orderBy }: Pick<SearchOrder, 'select' | 'orderBy'>,
        ...conditions: (string | undefined)[]
      ) => {
        const where = all(...conditions)
        return `${select}${where === undefined ? '' : ` where ${where}`} order by ${orderBy} limit ?`
      }
      for (const [filter, { condition, indexOrder }] of Object.entries(filters)) {
        const [parameter = '', isNull] = filter.split('=')
        const value = samples.get(parameter.replace(/\[.*/, ''))
        const given = isNull === undefined ? (parameter.endsWith('[in]') ? [value, value] : value) : null
        const byId = orders['id'] ?? expect.unreachable()
        const matches = all(access, condition)
        expect(await read({ [parameter]: given, total: true })).toEqual([
          ...(indexOrder === undefined ? [] : [`${statement(byId, access)} offset ?`]),
          statement(byId, matches),
          `${count} where ${matches}`,
        ])
        if (indexOrder === undefined) continue
        // Looks further twice, until few matches remain.
        const [isAfter] = byId.after
        const inIndex = statement({ ...byId, orderBy: indexOrder }, matches, isAfter)
        expect(await read({ [parameter]: given }, [true, false, true, true])).toEqual([
          `${statement(byId, access)} offset ?`,
          statement(byId, matches, upToId),
          `${inIndex} offset ?`,
          `${statement(byId, access, isAfter)} offset ?`,
          statement(byId, matches, isAfter, upToId),
          `${inIndex} offset ?`,
          statement({ ...byId, orderBy: orderByIdText }, matches, isAfter),
        ])
      }
      for (const [sort, order] of Object.entries(orders).filter(([key]) => key !== 'id')) {
        expect(await read({ sort })).toEqual([statement(order, access)])
        const value = samples.get(sort.replace('-', ''))
        for (const [at, conditions] of [
          [value, order.after],
          [null, order.afterNull],
        ] as const) {
          const after = Buffer.from(JSON.stringify([sort, at, ID])).toString('base64url')
          if (conditions.length > 0)
            expect(await read({ sort, after, limit: 1 })).toEqual(
              conditions.map((condition) => statement(order, access, condition)),
            )
        }
      }
    },
  )
})

/**
 * A database that reports each query, with the name under which it is prepared. A prepared statement returns one row,
 * another one if `onQuery` returns true.
 */
function mockDatabase(onQuery: (query: Query, name: string | undefined) => boolean | undefined): object {
  const db = drizzle.mock()
  const prepareQuery = (query: Query, _fields: unknown, name: string | undefined) => {
    const isFound = onQuery(query, name) ?? name !== undefined
    // A count reads the result of `pg`.
    const rows = Object.assign(isFound ? [{ id: ID, owner: ID, _bytes: 1 }] : [], { rows: [{ count: '0' }] })
    const prepared = { setToken: () => prepared, execute: () => Promise.resolve(rows) }
    return prepared
  }
  Object.assign((db as unknown as { session: object }).session, { prepareQuery })
  return db
}

/** A placeholder, which may be in a `Param`. Values that are not placeholders have no names. */
function parameterName(param: unknown): string {
  const { name, value } = Object(param) as { name?: string; value?: { name?: string } }
  return name ?? value?.name ?? JSON.stringify(param)
}

/** `?` for each parameter, and one for all values of `in`. Drizzle ends and names counts. */
const withoutNumbers = (sql: string) =>
  sql
    .replace(/;$/, '')
    .replace(' as count', '')
    .replace(/\$\d+/g, '?')
    .replaceAll(/\(\?(?:, \?)+\)/g, '(?)')

/** As Drizzle writes conditions of which all must hold. */
function all(...conditions: (string | undefined)[]): string | undefined {
  const given = conditions.filter((condition) => condition !== undefined)
  return given.length > 1 ? `(${given.join(' and ')})` : given[0]
}
