import { jwtVerify } from 'jose'
import { CREATES, TOKENS, type Fault } from './fault.ts'

/** The gateway and the authentication service. */
export const IDENTITY_FAULTS: readonly Fault[] = [
  {
    description: 'the gateway does not check tokens',
    gatewayConfig: ({ gatewayConfig }) => ({ ...gatewayConfig, verifyToken: async () => true }),
    foundBy: `Note: ${TOKENS}`,
  },
  {
    description: 'the gateway does not protect one service',
    gatewayConfig: ({ gatewayConfig }) => ({
      ...gatewayConfig,
      routes: gatewayConfig.routes.map((route) =>
        route.directory === 'note' ? { ...route, protected: false } : route,
      ),
    }),
    foundBy: 'Note: requests without a token return 401, even to unknown paths',
  },
  {
    description: 'neither gateway nor service checks the expiry',
    files: {
      'lib/tokens.ts': [
        ["{ algorithms: ['HS256'] }", "{ algorithms: ['HS256'], currentDate: new Date(0) }"],
        ['known.expires <= now()', 'known.expires <= 0'],
        ['iat > now()', 'iat < 0 * now()'],
      ],
    },
    gatewayConfig: ({ gatewayConfig, target }) => ({
      ...gatewayConfig,
      verifyToken: async (header = '') => {
        const key = Buffer.from(target.credential?.secret ?? '', 'base64url')
        const options = { algorithms: ['HS256'], currentDate: new Date(0) }
        return jwtVerify(header.slice('Bearer '.length), key, options).then(
          ({ payload }) => payload.iss === target.credential?.id,
          () => false,
        )
      },
    }),
    foundBy: 'Note: tokens that are expired, never expire, or have another issuer or algorithm return 401',
  },
  {
    description: 'a token without a valid id is accepted',
    files: {
      'lib/tokens.ts': [
        ['id: uuid,', 'id: z.string(),'],
        ["import { uuid } from './values.ts'\n", ''],
      ],
    },
    foundBy: 'Note: tokens that are expired, never expire, or have another issuer or algorithm return 401',
  },
  {
    description: 'the gateway routes a service to another one',
    gatewayConfig: ({ gatewayConfig }) => ({
      ...gatewayConfig,
      routes: gatewayConfig.routes.map((route) =>
        route.directory === 'note' ? { ...route, directory: 'memo' } : route,
      ),
    }),
    foundBy: `Note: ${CREATES}`,
  },
  {
    description: 'tokens are never valid',
    files: {
      'auth/src/tokens.ts': [['`${config.TOKEN_LIFETIME_MINUTES}m`', "'0m'"]],
    },
    foundBy: 'Auth: register returns 201 and login 200, both with only a token',
  },
  {
    description: 'emails are case-sensitive',
    files: {
      'auth/src/queries.ts': [[/eq\(sql`lower\([^`]*`, [^\n]*\)\)$/m, "eq(auth.email, param('email')))"]],
    },
    foundBy: 'Auth: an email can be registered once, regardless of case',
  },
  {
    description: 'login reveals that an email is unknown',
    files: {
      'auth/src/routes.ts': [
        [
          "{ error: 'Invalid email or password' }",
          "{ error: (await datastore.findAuth(input)) ? 'Invalid email or password' : 'Unknown email' }",
        ],
      ],
    },
    foundBy: 'Auth: login does not reveal whether an email is registered',
  },
  {
    description: 'passwords of seven characters are accepted',
    files: {
      'auth/src/requests.ts': [['MIN_PASSWORD_LENGTH = 8', 'MIN_PASSWORD_LENGTH = 7']],
    },
    foundBy: 'Auth: passwords have at least 8 characters and at most 72 bytes',
  },
  {
    description: 'ids of users are of version 4',
    files: {
      'auth/src/routes.ts': [['newTimeBasedId()', '(newTimeBasedId(), crypto.randomUUID())']],
    },
    foundBy: 'Auth: user ids are version 1 UUIDs with a random node',
  },
  {
    description: 'one email can be registered twice at the same time',
    sql: {
      service: 'auth',
      breaks: 'DROP INDEX auth__email__key',
      fixes: 'TRUNCATE auth; CREATE UNIQUE INDEX auth__email__key ON auth (lower(email COLLATE "C"))',
    },
    foundBy: 'Auth: only 1 of 6 concurrent registrations of one email succeeds',
  },
]
