import { expect, test } from 'vitest'
import { compile } from '../../src/compile.ts'
import { gatewayRoutes } from '../../src/model/routes.ts'

function routes(text: string) {
  const { platform } = compile(text)
  if (platform === undefined) throw new Error('The definition has errors.')
  return gatewayRoutes(platform)
}

test('every service has a route, which needs a token where there is authentication', () => {
  expect(routes('Shop: project { #authMethod(email); } HomeOwner: service { name: string; #auth; }')).toEqual(
    [
      { path: '/api/auth', stripped: '/api', directory: 'auth', port: 8080, protected: false },
      { path: '/api/home-owner', stripped: '/api', directory: 'home-owner', port: 8080, protected: true },
    ],
  )
})

test('without authentication no route needs a token', () => {
  expect(routes('Shop: project {} Home: service { name: string; }')).toEqual([
    { path: '/api/home', stripped: '/api', directory: 'home', port: 8080, protected: false },
  ])
})
