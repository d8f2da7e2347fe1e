import { expect, test } from 'vitest'
import { clearParameters } from '../../explorer/src/reference/clear-parameters.ts'
import { excerpt, type OpenApi } from '../../explorer/src/reference/excerpt.ts'
import { openApiDocument } from '../../src/emit/openapi/document.ts'
import { platformOf } from '../emit/platform.ts'

const document = openApiDocument(
  platformOf(
    'Desk: project {} Ticket: service { due: date; state: enum(open, closed); #enumerable(filter: [due, state], sort: [due]); }',
  ),
) as unknown as OpenApi

test('optional query parameters have no value, and their examples are in the descriptions', () => {
  const { paths } = clearParameters(excerpt(document, [], 'listTicket'))
  const parameters = paths['/api/ticket/all']?.['get']?.parameters ?? []
  expect(parameters.length).toBeGreaterThan(8)
  for (const parameter of parameters) {
    expect(parameter.examples).toEqual({ default: { value: '' } })
    expect(parameter).not.toHaveProperty('example')
  }
  expect(parameters.find((each) => 'name' in each && each.name === 'due')?.description).toBe(
    'Returns only entities whose `due` is this value. For example `2030-01-31`.',
  )
})

test('parameters of the path keep their example', () => {
  const read = excerpt(document, [], 'readTicket')
  expect(clearParameters(read)).toEqual(read)
})
