import { expect, test } from 'vitest'
import { compile } from '../../src/compile.ts'
import { gatewayRoutes } from '../../src/model/routes.ts'

function routes(text: string) {
  const { platform } = compile(text)
  if (platform === undefined) throw new Error('The definition has errors.')
  return gatewayRoutes(platform)
}

test('every service has a route, which requires a token with authentication', () => {
  expect(routes('Shop: project { #authMethod(email); } HomeOwner: service { name: string; #auth; }')).toEqual(
    [
      {
        path: '/api/auth',
        strippedPrefix: '/api',
        directory: 'auth',
        port: 8080,
        protected: false,
        publicPaths: [],
        limited: true,
      },
      {
        path: '/api/home-owner',
        strippedPrefix: '/api',
        directory: 'home-owner',
        port: 8080,
        protected: true,
        publicPaths: [],
        limited: false,
      },
    ],
  )
})

test('without authentication, no route requires a token', () => {
  expect(routes('Shop: project {} Home: service { name: string; }')).toEqual([
    {
      path: '/api/home',
      strippedPrefix: '/api',
      directory: 'home',
      port: 8080,
      protected: false,
      publicPaths: [],
      limited: false,
    },
  ])
})
