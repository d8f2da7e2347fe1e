import { afterAll, describe, expect, test } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { platformOf } from '../platform.ts'
import { idOf, newUser, type RunningPlatform, runPlatform, type Sent } from './running-platform.ts'

/** Words that SQL, TypeScript, the objects of JavaScript or the generated code use. */
const WORDS =
  'select table class delete await enum interface constructor prototype hasOwnProperty toString valueOf toJSON ' +
  'then owner parent input request env caller string project service struct error limit after hooks statements ' +
  'xmin xmax cmin cmax ctid tableoid'

let platform: RunningPlatform | undefined
afterAll(() => platform?.stop())

describe('names that mean something elsewhere', () => {
  test('are names like all others in a running service', async () => {
    platform = await runPlatform(`
      Select: project { #authMethod(email); }
      User: service { order: string; #auth; }
      Order: service {
        ${WORDS.split(' ')
          .map((word) => `${word}: string;`)
          .join(' ')}
        from: int; where: bool; user: User; primary: float; constraint: date; references: time;
        new: string @client; function: string @serverSet; default: string @server;
        Group: struct { all: bool; user: User; #enumerable; }
        Check: struct { group: Group; unique: int @unique; }
        #enumerable;
      }
    `)
    const running = platform
    const user = newUser()
    const call = (method: string, at: string, body?: Sent['body']) =>
      running.call(method, at, { as: user, body })
    idOf(await call('POST', '/user', { order: 'x' }))
    const body = {
      ...Object.fromEntries(WORDS.split(' ').map((word) => [word, word])),
      from: 1,
      where: true,
      user,
      primary: 1.5,
      constraint: '2000-01-01',
      references: '00:00:01',
      new: 'x',
    }
    const created = await call('POST', '/order', body)
    const { new: _client, ...answered } = body as Record<string, unknown>
    const id = idOf(created)
    expect(created.json).toEqual({ ...answered, id, function: '' })
    const updated = await call('PUT', `/order/${id}`, { ...body, toJSON: 'other', table: 'other' })
    expect(updated.json).toEqual({ ...answered, id, function: '', toJSON: 'other', table: 'other' })
    expect((await call('GET', `/order/${id}`)).json).toEqual(updated.json)
    expect((await call('GET', '/order/all')).json).toEqual({ OrderList: [updated.json] })

    const group = idOf(await call('POST', `/order/${id}/group`, { all: true, user }))
    const check = await call('POST', `/order/${id}/check`, { group, unique: 5 })
    expect(check.json).toEqual({ id: idOf(check), group, unique: 5 })
    expect((await call('GET', `/order/${id}/group/all`)).json).toEqual({
      GroupList: [{ id: group, all: true, user }],
    })
  })

  test('are names of services and structs, whose lists are filtered', async () => {
    await platform?.stop()
    const names = ['PgType', 'Owner', 'Query', 'Where', 'Find', 'IsInOwn', 'Batches']
    const structs = ['PgClass', 'Decimal', 'Numeric', 'OneOf', 'WithDefault', 'Z']
    platform = await runPlatform(`
      Names: project { #authMethod(email); }
      User: service { name: string; #auth; }
      ${names.map((name) => `${name}: service { text: string(9); n: int; #enumerable(filter: [n]); }`).join('\n')}
      Ticket: service {
        text: string(9);
        OwnTicket: struct { n: int; #enumerable; }
        ParentId: struct { n: int; #enumerable(filter: [n]); }
        ${structs.map((name) => `${name}: struct { cost: decimal = 1; kind: enum(a, b) = a; }`).join('\n')}
        #enumerable;
      }
    `)
    const running = platform
    const user = newUser()
    const call = (method: string, at: string, body?: Sent['body']) =>
      running.call(method, at, { as: user, body })
    idOf(await call('POST', '/user', { name: 'x' }))
    for (const path of ['pg-type', 'owner', 'query', 'where', 'find', 'is-in-own', 'batches']) {
      const id = idOf(await call('POST', `/${path}`, { text: 'a', n: 1 }))
      const found = await call('GET', `/${path}/all?n=1&total=true`)
      expect(found.status, path).toBe(200)
      expect(Object.values(found.json as object), path).toEqual([[{ id, text: 'a', n: 1 }]])
    }
    const ticket = idOf(await call('POST', '/ticket', { text: 'a' }))
    for (const part of ['own-ticket', 'parent-id']) {
      await call('POST', `/ticket/${ticket}/${part}`, { n: 1 })
      for (const query of part === 'own-ticket' ? ['', ''] : ['?n=1&total=true', '?n=2']) {
        // Statements of both lists are prepared on all connections.
        expect((await call('GET', '/ticket/all')).status).toBe(200)
        expect((await call('GET', `/ticket/${ticket}/${part}/all${query}`)).status, part).toBe(200)
      }
    }
  })

  test('are told apart where two of them, or one and ours, would be alike', async () => {
    await platform?.stop()
    platform = await runPlatform(
      `
      Names: project {}
      HomeRequest: service {
        getSQL: string;
        enableRLS: string;
        parentIds: int;
        CreateHome: struct { parentId: string; getSQL: bigAndLong; }
        BigAndLong: struct { firstThing: int(precision: 8); aTime: datetime; #enumerable; }
        ServiceError: struct { createHome: string; }
      }
      `.replace('bigAndLong', 'BigAndLong'),
    )
    const running = platform
    const call = (method: string, at: string, body?: Sent['body']) => running.call(method, at, { body })
    const home = await call('POST', '/home-request', { getSQL: 'a', enableRLS: 'b', parentIds: 1 })
    const parent = `/home-request/${idOf(home)}`
    expect((await call('GET', parent)).json).toEqual({
      id: idOf(home),
      getSQL: 'a',
      enableRLS: 'b',
      parentIds: 1,
    })
    const values = { firstThing: 9007199254740991, aTime: '2000-01-01T00:00:00.000001Z' }
    const big = await call('POST', `${parent}/big-and-long`, values)
    const entry = { id: idOf(big), ...values }
    expect((await call('GET', `${parent}/big-and-long/all`)).json).toEqual({ BigAndLongList: [entry] })
    const created = await call('POST', `${parent}/create-home`, { parentId: 'x', getSQL: idOf(big) })
    expect(
      (await call('PUT', `${parent}/create-home/${idOf(created)}`, { parentId: 'y', getSQL: idOf(big) }))
        .json,
    ).toEqual({ id: idOf(created), parentId: 'y', getSQL: idOf(big) })
    expect((await call('DELETE', `${parent}/create-home/${idOf(created)}`)).json).toEqual({})
  })

  test('are names of called services', () => {
    const definition = 'P: project {}\nOwner: service { name: string; }\nPet: service { owner: Owner; }'
    const comm = emitProject(platformOf(definition)).find(({ path }) => path === 'pet/src/comm.ts')
    expect(comm?.content).toContain(
      "const ownerClient = clientOf('Owner', config.OWNER_INTERNAL_URL, config.SERVICE_TIMEOUT_MS)",
    )
  })
})
