import { expect, test } from 'vitest'
import { describePlatform } from '../../../src/emit/explorer/description.ts'
import { openApiDocument } from '../../../src/emit/openapi/document.ts'
import { exampleOf, PLATFORMS } from '../diagram/definitions.ts'
import { platformOf } from '../platform.ts'

test.each(PLATFORMS)('every endpoint of %s has the same id in the OpenAPI document', (_, platform) => {
  const described = describePlatform(platform, true).services.flatMap(({ parts }) =>
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
  const { authentication, services } = describePlatform(exampleOf('stays'), true)
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
    ['listHome', 'any user'],
  ])
})

test('describes whom roles admit, and which paths need no token', () => {
  const platform = platformOf(`
    Desk: project { #authMethod(email); #roles[agent, admin]; }
    Person: service { #auth; }
    Ticket: service { #enumerable; #readable(by: [this, agent]); #writable(by: agent); #public[webhook]; }
  `)
  const ticket = describePlatform(platform, true).services.at(-1)
  expect(ticket?.access).toBe('creator and agent read, agent writes')
  expect(ticket?.publicPaths).toEqual(['/api/ticket/webhook'])
  expect(ticket?.parts[0]?.endpoints.map(({ operation, access }) => [operation, access])).toEqual([
    ['create', 'users with the role agent'],
    ['read', 'its creator and users with the role agent'],
    ['update', 'users with the role agent'],
    ['delete', 'users with the role agent'],
    ['list', 'any user (own entities only, all with the role agent)'],
  ])
})

test('only `portico dev` gives out roles', () => {
  const platform = platformOf(
    'Desk: project { #authMethod(email); #roles[agent, admin]; } Person: service { #auth; }',
  )
  expect(describePlatform(platform, true).authentication?.grantableRoles).toEqual(['agent', 'admin'])
  expect(describePlatform(platform, false).authentication?.grantableRoles).toEqual([])
})
