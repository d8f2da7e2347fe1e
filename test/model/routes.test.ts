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
        publicRequests: [],
        limited: true,
      },
      {
        path: '/api/home-owner',
        strippedPrefix: '/api',
        directory: 'home-owner',
        port: 8080,
        protected: true,
        publicPaths: [],
        publicRequests: [],
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
      publicRequests: [],
      limited: false,
    },
  ])
})

test('public endpoints require no token', () => {
  const definition = `
    Shop: project { #authMethod(email); }
    User: service { name: string; #auth; }
    Home: service {
      title: string;
      Quote: endpoint { #get("{id}/quote/{nights}"); nights: int @client; #public; #access(none); }
      Webhook: endpoint { #post("webhook"); kind: string @client; #public; }
      Stats: endpoint { #get("stats"); count: int @serverSet; }
    }`
  expect(routes(definition).map(({ publicRequests }) => publicRequests)).toEqual([
    [],
    [],
    [
      { methods: ['GET', 'HEAD'], path: '/api/home/[^/]+/quote/[^/]+' },
      { methods: ['POST'], path: '/api/home/webhook' },
    ],
  ])
})
