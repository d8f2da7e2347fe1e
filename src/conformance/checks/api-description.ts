import { isDeepStrictEqual } from 'node:util'
import { DOCUMENT_PATH, openApiDocument } from '../../emit/openapi/document.ts'
import type { Platform } from '../../model/platform.ts'
import type { Check } from '../check.ts'
import { SkipError } from '../exchange.ts'
import { expectResponse, expectThat } from '../expect.ts'
import { parseJson } from '../../json.ts'
import type { CheckContext } from '../check-context.ts'

const GROUP = 'Gateway'

/** Checks the OpenAPI document that the gateway serves. */
export function descriptionChecks(platform: Platform): Check[] {
  return [
    {
      group: GROUP,
      sequence: GROUP,
      title: `${DOCUMENT_PATH} serves the OpenAPI document to everyone`,
      skip: undefined,
      run: (context) => isServed(context, platform),
    },
  ]
}

async function isServed(context: CheckContext, platform: Platform): Promise<void> {
  const read = await context.send({ method: 'GET', path: DOCUMENT_PATH })
  if (read.response.status === 404) throw new SkipError('the OpenAPI document is turned off')
  expectResponse(read, { status: 200, headers: { 'content-type': /^application\/json\b/ } })
  // A round trip through JSON removes `undefined`.
  const expected: unknown = JSON.parse(JSON.stringify(openApiDocument(platform)))
  expectThat(
    isDeepStrictEqual(parseJson(read.response.text), expected),
    read,
    'the OpenAPI document of this definition, as `portico generate` writes it to api/openapi.json',
  )
  const head = await context.send({ method: 'HEAD', path: DOCUMENT_PATH })
  expectThat(head.response.status === 200 && head.response.text === '', head, '200 without a body')
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const other = await context.send({ method, path: DOCUMENT_PATH })
    expectResponse(other, { status: 405, headers: { allow: 'GET, HEAD' } })
  }
}
