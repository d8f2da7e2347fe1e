import { jwtVerify } from 'jose'
import { CREATES, TOKENS, type Fault } from './fault.ts'

/** The gateway and the authentication service. */
export const IDENTITY_FAULTS: readonly Fault[] = [
  {
    what: 'the gateway leaves tokens to the service',
    rules: ({ rules }) => ({ ...rules, verifyToken: async () => true }),
    foundBy: `Note: ${TOKENS}`,
  },
  {
    what: 'the gateway protects one service less',
    rules: ({ rules }) => ({
      ...rules,
      routes: rules.routes.map((route) =>
        route.directory === 'note' ? { ...route, protected: false } : route,
      ),
    }),
    foundBy: 'Note: without a token every endpoint is 401, and what is no endpoint too',
  },
  {
    what: 'neither gateway nor service looks at the expiry',
    files: {
      'note/src/identity.ts': [
        [/requiredClaims: \[.*?\],/, 'currentDate: new Date(0),'],
        [/iat > Date\.now\(\)/, 'iat < 0 * Date.now()'],
      ],
    },
    rules: ({ rules, target }) => ({
      ...rules,
      verifyToken: async (header = '') => {
        const key = Buffer.from(target.credential?.secret ?? '', 'base64url')
        const options = { algorithms: ['HS256'], currentDate: new Date(0) }
        return jwtVerify(header.slice('Bearer '.length), key, options).then(
          ({ payload }) => payload.iss === target.credential?.id,
          () => false,
        )
      },
    }),
    foundBy: 'Note: a token that is expired, never expires, or has another issuer or algorithm is 401',
  },
  {
    what: 'a token without a valid id is somebody',
    files: {
      'note/src/identity.ts': [
        [
          /if \(typeof id !== 'string' \|\| [^\n]*\) return undefined/,
          "if (typeof id !== 'string') return undefined",
        ],
      ],
    },
    foundBy: 'Note: a token that is expired, never expires, or has another issuer or algorithm is 401',
  },
  {
    what: 'the gateway sends one service to another',
    rules: ({ rules }) => ({
      ...rules,
      routes: rules.routes.map((route) =>
        route.directory === 'note' ? { ...route, directory: 'memo' } : route,
      ),
    }),
    foundBy: `Note: ${CREATES}`,
  },
  {
    what: 'tokens live for two days',
    files: { 'auth/src/tokens.ts': [["'24h'", "'48h'"]] },
    foundBy: 'Auth: register answers 201, login 200, with a token and nothing else',
  },
  {
    what: 'emails in capitals are other ones',
    files: { 'auth/src/data-access.ts': [[/eq\(sql`lower\([^`]*`, [^\n]*\)\)$/m, 'eq(auth.email, email))']] },
    foundBy: 'Auth: an email can be registered once, whatever its case',
  },
  {
    what: 'login tells that an email is unknown',
    files: {
      'auth/src/login.ts': [
        [
          "ServiceError(401, 'Invalid email or password'",
          "ServiceError(401, record ? 'Invalid email or password' : 'Unknown email'",
        ],
      ],
    },
    foundBy: 'Auth: login tells nothing of whether an email is known',
  },
  {
    what: 'passwords of seven characters are taken',
    files: { 'auth/src/credentials-request.ts': [['MIN_PASSWORD_LENGTH = 8', 'MIN_PASSWORD_LENGTH = 7']] },
    foundBy: 'Auth: passwords have 8 characters or more, and 72 bytes at most',
  },
  {
    what: 'ids of users are of version 4',
    files: { 'auth/src/register.ts': [['newTimeBasedId()', '(newTimeBasedId(), crypto.randomUUID())']] },
    foundBy: 'Auth: ids of users are UUIDs of version 1 with a random node',
  },
  {
    what: 'one email can be registered twice at the same time',
    sql: {
      service: 'auth',
      breaks: 'DROP INDEX auth__email__key',
      mends: 'TRUNCATE auth; CREATE UNIQUE INDEX auth__email__key ON auth (lower(email COLLATE "C"))',
    },
    foundBy: 'Auth: of 6 registrations of one email at the same time one succeeds',
  },
]
