import { readFileSync } from 'node:fs'
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
import * as errors from '../../templates/typescript/lib/errors.ts'
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

test.each([
  ['lib/api.ts', SERVICE_TEXTS.pathNotFound],
  ['lib/api.ts', SERVICE_TEXTS.methodNotAllowed],
  ['lib/errors.ts', SERVICE_TEXTS.internalError],
  ['lib/server.ts', SERVICE_TEXTS.internalError],
  ['auth/src/app.ts', SERVICE_TEXTS.userExists],
  ['auth/src/routes.ts', SERVICE_TEXTS.invalidCredentials],
])('%s contains `%s`', (template, text) => {
  expect(readFileSync(`templates/typescript/${template}`, 'utf8')).toContain(`'${text}'`)
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
