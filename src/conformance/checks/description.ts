import { isDeepStrictEqual } from 'node:util'
import { DOCUMENT_PATH, openApiDocument } from '../../emit/openapi/document.ts'
import type { Platform } from '../../model/platform.ts'
import type { Check } from '../check.ts'
import { SkipError } from '../exchange.ts'
import { expectAnswer, expectThat } from '../expect.ts'
import { parseJson } from '../json.ts'
import type { Scope } from '../scope.ts'

const GROUP = 'Gateway'

/** What the gateway serves of the platform's description. */
export function descriptionChecks(platform: Platform): Check[] {
  return [
    {
      group: GROUP,
      sequence: GROUP,
      sentence: `${DOCUMENT_PATH} describes the API, to everybody`,
      skip: undefined,
      run: (scope) => isServed(scope, platform),
    },
  ]
}

async function isServed(scope: Scope, platform: Platform): Promise<void> {
  const read = await scope.send({ method: 'GET', path: DOCUMENT_PATH })
  if (read.answer.status === 404) throw new SkipError('the description of the API is turned off')
  expectAnswer(read, { status: 200, headers: { 'content-type': /^application\/json\b/ } })
  // What is served has been JSON text, in which nothing is `undefined`.
  const expected: unknown = JSON.parse(JSON.stringify(openApiDocument(platform)))
  expectThat(
    isDeepStrictEqual(parseJson(read.answer.text), expected),
    read,
    'the description of this definition, as `portico generate` writes it to api/openapi.json',
  )
  const head = await scope.send({ method: 'HEAD', path: DOCUMENT_PATH })
  expectThat(head.answer.status === 200 && head.answer.text === '', head, '200 without a body')
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const other = await scope.send({ method, path: DOCUMENT_PATH })
    expectAnswer(other, { status: 405, headers: { allow: 'GET, HEAD' } })
  }
}
