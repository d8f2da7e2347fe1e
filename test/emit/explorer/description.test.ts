import { expect, test } from 'vitest'
import { describePlatform } from '../../../src/emit/explorer/description.ts'
import { openApiDocument } from '../../../src/emit/openapi/document.ts'
import { exampleOf } from '../diagram/definitions.ts'

test.each(['stays', 'booking', 'chat', 'types', 'tiny', 'hundred'])(
  'every endpoint of %s stands in the OpenAPI document under the same id',
  (name) => {
    const platform = exampleOf(name)
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
  },
)

interface Operation {
  readonly tags: readonly string[]
  readonly operationId: string
}

test('says who may do what', () => {
  const { authentication, services } = describePlatform(exampleOf('stays'), true)
  expect(authentication).toEqual({ name: 'Auth', path: '/api/auth' })
  expect(services.map(({ name, access }) => [name, access])).toEqual([
    ['Auth', 'open to everybody'],
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
    ['createHome', 'every user'],
    ['readHome', 'every user'],
    ['updateHome', 'its creator'],
    ['listHome', 'every user'],
  ])
})
