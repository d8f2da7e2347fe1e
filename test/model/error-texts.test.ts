import { expect, test } from 'vitest'
import {
  duplicateText,
  invalidParameterText,
  isServiceText,
  missingText,
  notFoundText,
  SERVICE_TEXTS,
  stillReferencedText,
  unavailableText,
  unknownReferenceText,
} from '../../src/model/error-texts.ts'
import { createApi } from '../../templates/typescript/lib/api.ts'
import * as errors from '../../templates/typescript/lib/errors.ts'
import { createLog } from '../../templates/typescript/lib/log.ts'
import { unknownReference } from '../../templates/typescript/lib/references.ts'

test('the templates respond with the texts of the model', () => {
  expect(errors.forbidden().message).toBe(SERVICE_TEXTS.forbidden)
  expect(errors.unsupportedEncoding().message).toBe(SERVICE_TEXTS.unsupportedEncoding)
  expect(errors.tooLarge().message).toBe(SERVICE_TEXTS.tooLarge)
  expect(errors.unauthorized().message).toBe(SERVICE_TEXTS.unauthorized)
  expect(errors.invalidParameter('beds', 'bad').message).toBe(invalidParameterText('beds', 'bad'))
  expect(errors.notFound('Home', '42').message).toBe(notFoundText('Home', '42'))
  expect(errors.unavailable('Home').message).toBe(unavailableText('Home'))
  expect(unknownReference('Home', '42').message).toBe(unknownReferenceText('Home', '42'))
})

test('an API responds with the texts of the model', async () => {
  const api = createApi({ service: 'Home', conflicts: {}, log: createLog('home', 'silent') }).get('/', () => {
    throw new Error('unexpected')
  })
  const responses = [api.request('/'), api.request('/', { method: 'POST' }), api.request('/other')]
  const texts = await Promise.all(responses.map(async (response) => (await response).json()))
  expect(texts).toEqual([
    { error: SERVICE_TEXTS.internalError },
    { error: SERVICE_TEXTS.methodNotAllowed },
    { error: SERVICE_TEXTS.pathNotFound },
  ])
})

test('texts of generated code are told from those of hooks', () => {
  const generated = [
    ...Object.values(SERVICE_TEXTS),
    duplicateText('Home'),
    missingText(['name', 'beds']),
    notFoundText('Home', '42'),
    stillReferencedText('Home'),
    unavailableText('Home'),
    unknownReferenceText('Home', '42'),
    invalidParameterText('beds', 'must be an integer'),
    'Invalid id: 42',
    'Invalid request body: must be a JSON object',
  ]
  expect(generated.filter((text) => !isServiceText(text))).toEqual([])
  const others = ['Not found here', 'Too many beds', 'Invalid request', 'Home is unavailable today']
  expect(others.filter(isServiceText)).toEqual([])
})
