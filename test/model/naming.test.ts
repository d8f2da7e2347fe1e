import { describe, expect, it } from 'vitest'
import { camelCase, kebabCase, snakeCase, withArticle } from '../../src/naming.ts'

describe('names in the forms of the output', () => {
  it.each([
    ['ExampleService', 'example-service', 'example_service', 'exampleService'],
    ['orderDate', 'order-date', 'order_date', 'orderDate'],
    ['HTTPProxy2', 'http-proxy2', 'http_proxy2', 'httpProxy2'],
    ['Proxy2Http', 'proxy2-http', 'proxy2_http', 'proxy2Http'],
    ['A', 'a', 'a', 'a'],
    ['ABC', 'abc', 'abc', 'abc'],
    ['aBC', 'a-bc', 'a_bc', 'aBc'],
    ['x1y', 'x1y', 'x1y', 'x1y'],
  ])('%s', (declared, kebab, snake, camel) => {
    expect([kebabCase(declared), snakeCase(declared), camelCase(declared)]).toEqual([kebab, snake, camel])
  })
})

it.each(['an Order', 'a Home', 'a User', 'a Unit', 'an Upload'])('the article of %s', (expected) => {
  expect(withArticle(expected.replace(/^an? /, ''))).toBe(expected)
})
