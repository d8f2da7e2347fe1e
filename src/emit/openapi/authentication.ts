import type { Authentication } from '../../model/platform.ts'
import { authenticationRefusals } from '../../model/refusals.ts'
import type { DescribedOperation } from './operations.ts'
import { jsonResponse, refusalResponses } from './responses.ts'
import { type SchemaNames, schemaReference } from './schema-names.ts'
import { SAMPLE_CREDENTIALS, SAMPLE_TOKEN } from './schemas.ts'

const TEXTS = {
  register: {
    status: '201',
    summary: 'Register a user',
    description: 'Registers an email with a password and signs the user in. Open to everybody.',
    success: 'The user is registered; the token is the first.',
  },
  login: {
    status: '200',
    summary: 'Sign a user in',
    description:
      'Answers with a new token. An unknown email and a wrong password are answered alike. Open to everybody.',
    success: 'A token.',
  },
} as const

/** Registering and signing in. */
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
          ...refusalResponses(authenticationRefusals(kind), names, false),
        },
        security: [],
      },
    }
  })
}
