import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRequestTarget } from '../../../src/dev/gateway/request-target.ts'

test.each([
  ['http://localhost:8080/api/home?x=1', 'localhost:8080', '/api/home'],
  ['HTTP://evil.com/api/home', 'evil.com', '/api/home'],
  ['https://localhost', 'localhost', '/'],
])('%s is in absolute form', (target, authority, path) => {
  expect(parseRequestTarget(target)).toMatchObject({ authority, path })
})

test.each(['/api/home?x#y', '/api/hömé'])('%s is rejected', (target) => {
  expect(parseRequestTarget(target)).toBeUndefined()
})

test('a normalized path stays the same and is unambiguous', () => {
  const piece = fc.constantFrom(...'/ . .. %2e %2F %5c %41 api home ? % http://a ~'.split(' '))
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
