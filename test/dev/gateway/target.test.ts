import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRequestTarget } from '../../../src/dev/gateway/request-target.ts'

test.each([
  ['/api/home', '/api/home', ''],
  ['/api/home?limit=1&after=2', '/api/home', '?limit=1&after=2'],
  ['/api/home/', '/api/home/', ''],
  ['//api//home', '/api/home', ''],
  ['/api/./home', '/api/home', ''],
  ['/api/x/../home', '/api/home', ''],
  ['/api/home/..', '/api/', ''],
  ['/../../api/home', '/api/home', ''],
  ['/api/x/%2e%2e/home', '/api/home', ''],
  ['/api/x/%2E./home', '/api/home', ''],
  ['/api/h%6Fme', '/api/home', ''],
  ['/API/Home', '/API/Home', ''],
  ['/api/a%20b', '/api/a%20b', ''],
  ['/api/home?a=/../b', '/api/home', '?a=/../b'],
  ['/', '/', ''],
  ['*', '/*', ''],
])('%s is %s with the query %s', (target, path, query) => {
  expect(parseRequestTarget(target)).toEqual({ path, query, authority: undefined })
})

test.each([
  ['http://localhost:8080/api/home?x=1', 'localhost:8080', '/api/home'],
  ['HTTP://evil.com/api/home', 'evil.com', '/api/home'],
  ['https://localhost', 'localhost', '/'],
])('%s is in absolute form', (target, authority, path) => {
  expect(parseRequestTarget(target)).toMatchObject({ authority, path })
})

test.each([
  '/api/home%2fx',
  '/api/home%2Fx',
  '/api%5chome',
  '/api\\home',
  '/api/home%00',
  '/api/home%0a',
  '/api/home%7f',
  '/api/home%',
  '/api/home%zz',
  '/api/home#x',
  '/api/home?x#y',
  '/api/hömé',
  'api/home',
  'ftp://localhost/api/home',
  'http://localhost\\@evil.com/api/home',
])('%s is rejected', (target) => {
  expect(parseRequestTarget(target)).toBeUndefined()
})

test('a normalized path stays the same and is unambiguous', () => {
  const piece = fc.constantFrom(
    '/',
    '.',
    '..',
    '%2e',
    '%2F',
    '%5c',
    '%41',
    'api',
    'home',
    '?',
    '%',
    'http://a',
    '~',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const target = parseRequestTarget(`/${pieces.join('')}`)
      if (target === undefined) return
      expect(target.path).toMatch(/^\//)
      expect(target.path).not.toMatch(/\/\/|\/\.\.?(?:\/|$)|%2e|%2f|%5c|\\/i)
      expect(parseRequestTarget(target.path + target.query)).toEqual({ ...target, authority: undefined })
    }),
  )
})
