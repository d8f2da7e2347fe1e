import { expect, test } from 'vitest'
import { describePlatform } from '../../../src/emit/explorer/description.ts'
import { openApiDocument } from '../../../src/emit/openapi/document.ts'
import { exampleOf, PLATFORMS } from '../diagram/definitions.ts'
import { platformOf } from '../platform.ts'

/** No service has code of the user. */
const LIVE = { customCode: new Map<string, string>() }

test.each(PLATFORMS)('every endpoint of %s has the same id in the OpenAPI document', (_, platform) => {
  const described = describePlatform(platform, LIVE).services.flatMap(({ parts }) =>
    parts.flatMap(({ name: tag, endpoints }) =>
      endpoints.map(({ id, method, path }) => `${tag} ${id} ${method} ${path}`),
    ),
  )
  const documented = new Set<string>()
  for (const [path, item] of Object.entries(openApiDocument(platform).paths))
    for (const [method, operation] of Object.entries(item as unknown as Record<string, Operation>))
      documented.add(`${operation.tags[0]} ${operation.operationId} ${method.toUpperCase()} ${path}`)
  expect(described.filter((each) => !documented.has(each))).toEqual([])
})

interface Operation {
  readonly tags: readonly string[]
  readonly operationId: string
}

test('describes who can access each service', () => {
  const { authentication, services } = describePlatform(exampleOf('stays'), LIVE)
  expect(authentication).toEqual({ name: 'Auth', path: '/api/auth', grantableRoles: [] })
  expect(services.map(({ name, access }) => [name, access])).toEqual([
    ['Auth', 'open to anyone'],
    ['Host', 'all read, creator writes'],
    ['Home', 'all read, creator writes'],
    ['Stay', 'creator reads and writes'],
    ['Review', 'all read, creator writes'],
  ])
  const home = services[2]
  expect(home?.parts.map(({ name, isStruct }) => [name, isStruct])).toEqual([
    ['Home', false],
    ['Photo', true],
  ])
  expect(home?.parts[0]?.endpoints.map(({ id, access }) => [id, access])).toEqual([
    ['createHome', 'any user'],
    ['readHome', 'any user'],
    ['updateHome', 'its creator'],
    ['patchHome', 'its creator'],
    ['listHome', 'any user'],
    ['quoteHome', 'any user'],
  ])
})

test('says which services have jobs', () => {
  const platform = platformOf(
    'P: project { #authMethod(email); } A: service { #auth; Ping: job {} } B: service {}',
  )
  expect(describePlatform(platform, LIVE).services.map(({ name, hasJobs }) => [name, hasJobs])).toEqual([
    ['Auth', false],
    ['A', true],
    ['B', false],
  ])
})

test('describes whom roles admit, and which paths need no token', () => {
  const platform = platformOf(`
    Desk: project { #authMethod(email); #roles[agent, admin]; }
    Person: service { #auth; }
    Ticket: service { #enumerable; #readable(by: [this, agent]); #writable(by: agent); #public[webhook]; }
  `)
  const ticket = describePlatform(platform, LIVE).services.at(-1)
  expect(ticket?.access).toBe('creator and agent read, agent writes')
  expect(ticket?.publicPaths).toEqual(['/api/ticket/webhook'])
  expect(ticket?.parts[0]?.endpoints.map(({ operation, access }) => [operation, access])).toEqual([
    ['create', 'users with the role agent'],
    ['read', 'its creator and users with the role agent'],
    ['update', 'users with the role agent'],
    ['patch', 'users with the role agent'],
    ['delete', 'users with the role agent'],
    ['list', 'any user (own entities only, all with the role agent)'],
  ])
})

test('describes declared endpoints, whom they admit, and what their requests contain', () => {
  const platform = platformOf(`
    Desk: project { #authMethod(email); #roles[agent, admin]; }
    Person: service { #auth; }
    Ticket: service {
      title: string;
      #readable(by: [this, agent]); #omit[create, read, update, delete];
      Close: endpoint { #put("{id}/close"); reason: string(9)? @client; closed: bool @serverSet; }
      Count: endpoint { #get("count"); #access(by: [agent, admin]); count: int @serverSet; }
      Peek: endpoint { #get("{id}/peek"); #access(by: agent); }
      Hook: endpoint { #post("hook/{kind}"); kind: string @client; #public; }
    }
  `)
  const ticket = describePlatform(platform, LIVE).services.at(-1)
  expect(
    ticket?.parts[0]?.endpoints.map(({ id, operation, access, permissions }) => [
      `${id} ${operation}`,
      access,
      permissions.join(' '),
    ]),
  ).toEqual([
    ['closeTicket close', 'its creator', 'none none all none none'],
    ['countTicket count', 'users with the role agent or admin', 'none none none all all'],
    ['peekTicket peek', 'users with the role agent who can read the Ticket', 'none none none all none'],
    ['hookTicket hook', 'anyone', 'all all all all all'],
  ])
  const close = ticket?.parts[0]?.endpoints[0]
  expect(close?.attributes?.map(({ name, inRequests }) => [name, inRequests])).toEqual([
    ['reason', 'optional'],
  ])
  const documented = openApiDocument(platform).paths['/api/ticket/hook/{kind}']
  expect(JSON.stringify(documented)).toContain('"operationId":"hookTicket"')
})

test('only `portico dev` gives out roles', () => {
  const platform = platformOf(
    'Desk: project { #authMethod(email); #roles[agent, admin]; } Person: service { #auth; }',
  )
  expect(describePlatform(platform, LIVE).authentication?.grantableRoles).toEqual(['agent', 'admin'])
  expect(describePlatform(platform, undefined).authentication?.grantableRoles).toEqual([])
})

test('describes the values of attributes, and where they are', () => {
  const platform = platformOf(`
    Shop: project {}
    Customer: service { name: string(80, 1); }
    Order: service {
      customer: Customer;
      price: decimal(scale: 2, min: 0.00, max: 99.50);
      status: enum(open, paid) = open;
      weight: float(min: 0.5)?;
      code: string(20, 3) @unique;
      paidAt: datetime @serverSet;
      key: data(16) @server;
      Line: struct { of: Line?; }
      #unique[customer, code];
    }
  `)
  const [order, line] = describePlatform(platform, undefined).services.at(-1)?.parts ?? []
  expect(
    order?.attributes.map(({ name, values, inRequests, inResponses }) => [
      name,
      values,
      inRequests,
      inResponses,
    ]),
  ).toEqual([
    ['customer', 'id of a Customer', 'required', true],
    ['price', 'decimal with 2 digits after the point, 0.00 to 99.50', 'required', true],
    ['status', 'one of `open`, `paid`', 'optional, default: `"open"`', true],
    ['weight', 'number, at least 0.5', 'optional', true],
    ['code', 'string, 3 to 20 characters, unique', 'required', true],
    ['paidAt', 'date and time, RFC 3339', 'no', true],
    ['key', 'base64, at most 16 bytes', 'no', false],
  ])
  expect(order?.combinations).toEqual(['`customer` and `code`'])
  expect([order, line].map((part) => part?.attributes[0]?.references)).toEqual([
    ['Customer', 'Customer'],
    ['Order', 'Line'],
  ])
})

test('says what each endpoint allows each caller', () => {
  const platform = platformOf(`
    Desk: project { #authMethod(email); #roles[agent, admin]; }
    Person: service { #auth; #readable(by: all); }
    Ticket: service {
      #enumerable;
      #readable(by: [this, agent]);
      #writable(by: agent);
      Note: struct { #enumerable; }
    }
    Report: service { #enumerable; #readable(by: admin); #writable(by: admin); }
  `)
  const { callers, services } = describePlatform(platform, LIVE)
  expect(callers).toEqual(['without a token', 'any user', 'creator', 'agent', 'admin'])
  const permissions = services.flatMap(({ parts }) =>
    parts.flatMap(({ endpoints }) => endpoints.map((each) => [each.id, each.permissions.join(' ')])),
  )
  expect(Object.fromEntries(permissions)).toEqual({
    register: 'all all all all all',
    login: 'all all all all all',
    createPerson: 'none once once once once',
    readPerson: 'none all all all all',
    updatePerson: 'none none all none none',
    patchPerson: 'none none all none none',
    deletePerson: 'none none all none none',
    identifyPerson: 'none own own own own',
    createTicket: 'none none none all none',
    readTicket: 'none none all all none',
    updateTicket: 'none none none all none',
    patchTicket: 'none none none all none',
    deleteTicket: 'none none none all none',
    listTicket: 'none own own all own',
    createNote: 'none none none all none',
    readNote: 'none none all all none',
    updateNote: 'none none none all none',
    patchNote: 'none none none all none',
    deleteNote: 'none none none all none',
    listNote: 'none none all all none',
    createReport: 'none none none none all',
    readReport: 'none none none none all',
    updateReport: 'none none none none all',
    patchReport: 'none none none none all',
    deleteReport: 'none none none none all',
    listReport: 'none none none none all',
  })
  const open = describePlatform(platformOf('Shop: project {} Order: service {}'), undefined)
  expect(open.callers).toEqual(['anyone'])
  expect(open.services[0]?.parts[0]?.endpoints.map((each) => each.permissions)).toEqual(
    Array.from({ length: 5 }, () => ['all']),
  )
})

test('names the code of the user', () => {
  const live = { customCode: new Map([['home', 'home/src/setup.ts']]) }
  const { services } = describePlatform(exampleOf('stays'), live)
  expect(services.map(({ customCode }) => customCode)).toEqual([
    undefined,
    undefined,
    'home/src/setup.ts',
    undefined,
    undefined,
  ])
})
