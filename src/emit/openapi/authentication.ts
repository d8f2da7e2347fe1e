import type { Authentication } from '../../model/platform.ts'
import { authenticationErrorResponses } from '../../model/error-responses.ts'
import type { DescribedOperation } from './operations.ts'
import { jsonResponse, errorResponseObjects } from './responses.ts'
import { type SchemaNames, schemaReference } from './schema-names.ts'
import { SAMPLE_CREDENTIALS, SAMPLE_TOKEN } from './schemas.ts'

const TEXTS = {
  register: {
    status: '201',
    summary: 'Register a user',
    description:
      'Registers a user with an email address and a password, and returns the first token. No token is required.',
    success: 'The token of the new user.',
  },
  login: {
    status: '200',
    summary: 'Log in',
    description:
      'Returns a new token. An unknown email and a wrong password get the same response. No token is required.',
    success: 'A new token.',
  },
} as const

/** The operations of registration and login. */
export function authenticationOperations(
  { path, names: { declared } }: Authentication,
  names: SchemaNames,
): DescribedOperation[] {
  return (['register', 'login'] as const).map((kind) => {
    const { status, summary, description, success } = TEXTS[kind]
    return {
      path: `${path}/${kind}`,
      method: 'post',
      operation: {
        tags: [declared],
        operationId: kind,
        summary,
        description,
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: schemaReference(names.credentials), example: SAMPLE_CREDENTIALS },
          },
        },
        responses: {
          [status]: jsonResponse(success, schemaReference(names.accessToken), SAMPLE_TOKEN),
          ...errorResponseObjects(authenticationErrorResponses(kind), names, false),
        },
        security: [],
      },
    }
  })
}
