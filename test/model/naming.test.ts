import { describe, expect, it } from 'vitest'
import {
  camelCase,
  columnName,
  databaseName,
  kebabCase,
  snakeCase,
  tableName,
  withArticle,
} from '../../src/naming.ts'

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

describe('names in Postgres', () => {
  it.each([
    ['Home', 'home', 'home'],
    ['Public', 'public', '_public'],
    ['None', 'none', '_none'],
    ['Postgres', 'postgres', '_postgres'],
    ['Template0', 'template0', '_template0'],
    ['Template1', 'template1', '_template1'],
    ['InformationSchema', 'information_schema', '_information_schema'],
    ['PgClass', '_pg_class', '_pg_class'],
    ['Pgp', 'pgp', 'pgp'],
  ])('of the service %s', (declared, table, database) => {
    expect([tableName(declared), databaseName(declared)]).toEqual([table, database])
  })

  it.each([
    ['xmin', '_xmin'],
    ['tableoid', '_tableoid'],
    ['tableOid', 'table_oid'],
    ['pgVersion', 'pg_version'],
    ['public', 'public'],
  ])('of the attribute %s', (declared, column) => {
    expect(columnName(declared)).toBe(column)
  })
})

it.each(['an Order', 'a Home', 'a User', 'a Unit', 'an Upload'])('the article of %s', (expected) => {
  expect(withArticle(expected.replace(/^an? /, ''))).toBe(expected)
})
