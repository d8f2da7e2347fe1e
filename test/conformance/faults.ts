import { jwtVerify } from 'jose'
import type { GatewayRules } from '../../src/dev/gateway/gateway.ts'
import type { TestPlatform } from './platform.ts'

/** The platform that faults are planted in: every kind of access, reference and struct. */
export const DEFINITION = `
Faults: project { #authMethod(email); }
Host: service {
  name: string(20, 1);
  Visit: struct { note: string(30); #enumerable; }
  #auth;
  #readable(by: all);
}
Home: service {
  owner: Host;
  address: string(30, 2);
  beds: int(max: 40, min: 1);
  rate: float(min: 0.0);
  code: string(12, 4) @unique;
  listedAt: datetime @serverSet;
  secret: string @server;
  pin: string(8) @client;
  Photo: struct { caption: string(20) @unique; taken: date; #enumerable; }
  Tag: struct { photo: Photo; label: string(10); }
  #enumerable;
  #readable(by: all);
}
Note: service { text: string(50); image: data(100); at: datetime; share: float(precision: 4); #enumerable; }
Memo: service { note: Note; home: Home; late: bool; opens: time; }
`

/** One way to break the platform, and the check that has to find it. */
export interface Fault {
  readonly what: string
  /** Group and sentence of the check, or how they begin: `Home: only the creator can read (3 users)`. */
  readonly foundBy: string
  /** Changes of generated files: by path, what is replaced (once, it has to be there) and by what. */
  readonly files?: Readonly<Record<string, readonly (readonly [RegExp | string, string])[]>>
  /** SQL that breaks a service's schema, and SQL that mends it. */
  readonly sql?: { readonly service: string; readonly breaks: string; readonly mends: string }
  /** Other rules for the gateway. */
  readonly rules?: (platform: TestPlatform) => GatewayRules
}

const CREATES = 'create answers 201 with what is stored and where it is'
const READS = 'read answers 200 with the entity, whatever the case of the id, and HEAD without it'
const HOME_LIST = 'Home: list answers 200 with {"HomeList": [...]} in the order of ids'
const PAGES = 'a list is paged: each page links to the next, the last to none'
const TOKENS = 'a token that is malformed or forged is 401, in the query it does not count'

/** Endpoints: statuses, headers, bodies. */
const ENDPOINT_FAULTS: readonly Fault[] = [
  {
    what: 'create answers 200',
    files: { 'home/src/routes/home.ts': [['answer(201,', 'answer(200,']] },
    foundBy: `Home: ${CREATES}`,
  },
  {
    what: 'create says not where',
    files: { 'home/src/routes/home.ts': [[', { Location: location }', '']] },
    foundBy: `Home: ${CREATES}`,
  },
  {
    what: 'create of an entry leaves its parent out of its place',
    files: {
      'home/src/routes/photo.ts': [[/`\/api\/home\/\$\{[\w.]+\}\/photo\/\$\{id\}`/, '`/api/photo/${id}`']],
    },
    foundBy: `Home.Photo: ${CREATES}`,
  },
  {
    what: 'answers may be cached',
    files: { 'home/src/answers.ts': [[", 'Cache-Control': 'no-store'", '']] },
    foundBy: `Home: ${READS}`,
  },
  {
    what: 'a @server attribute leaks',
    files: {
      'home/src/wire/home.ts': [
        ['listedAt: entity.listedAt,', 'listedAt: entity.listedAt, secret: entity.secret,'],
      ],
    },
    foundBy: 'Home: what is created can be read',
  },
  {
    what: 'a @serverSet attribute is not answered',
    files: { 'home/src/wire/home.ts': [['listedAt: entity.listedAt,', '']] },
    foundBy: 'Home: what is created can be read',
  },
  {
    what: 'attributes are answered in another order',
    files: { 'home/src/wire/home.ts': [['id: entity.id,', 'beds: entity.beds, id: entity.id,']] },
    foundBy: `Home: ${READS}`,
  },
  {
    what: 'a zero value is another',
    files: { 'home/src/routes/home.ts': [["'0001-01-01T00:00:00Z'", "'1970-01-01T00:00:00Z'"]] },
    foundBy: 'Home: create ignores `id`, `listedAt`, `secret`, unknown keys in requests',
  },
  {
    what: 'ids are of version 4',
    files: { 'home/src/routes/home.ts': [['const id = v7()', 'const id = crypto.randomUUID() || v7()']] },
    foundBy: 'Home: ids are UUIDs of version 7, in the order of creation',
  },
  {
    what: 'an id in capitals is another',
    files: { 'home/src/ids.ts': [[/\$\/i$/m, '$/']] },
    foundBy: `Home: ${READS}`,
  },
  {
    what: 'a malformed id is as good as missing',
    files: { 'home/src/ids.ts': [['ServiceError(400', 'ServiceError(404']] },
    foundBy: 'Home: read, update, delete with an id that is no UUID is 400',
  },
  {
    what: 'update forgets an attribute',
    files: { 'home/src/statements/home.ts': [[/(const changes = \{[^}]*?) *rate: given\('rate'\),/, '$1']] },
    foundBy: 'Home: update answers 200 with the new values, and they are stored',
  },
  {
    what: 'update changes all of a user',
    files: { 'home/src/statements/home.ts': [[/(updateOwn:[^,]*?\.where\()ownOne/, '$1own']] },
    foundBy: 'Home: update changes one entity alone',
  },
  {
    what: 'delete removes all of a user',
    files: { 'note/src/statements/note.ts': [[/(deleteOwn:[^,]*?\.where\()ownOne/, '$1own']] },
    foundBy: 'Note: delete removes one entity alone',
  },
  {
    what: 'delete answers with the entity',
    files: { 'note/src/routes/note.ts': [['return answer(200, {})', 'return answer(200, deleted)']] },
    foundBy: 'Note: delete answers 200 with {}, and what is deleted is gone',
  },
  {
    what: '405 does not say what is allowed',
    files: { 'note/src/api.ts': [[/, \{ Allow: [^}]*\}/, '']] },
    foundBy: 'Note: serves create, read, update, delete, list, and 405 or 404 for the rest',
  },
  {
    what: 'an unknown path is 405',
    files: {
      'note/src/api.ts': [["answerError(404, 'Not found')", "answerError(405, 'Method not allowed')"]],
    },
    foundBy: 'Note: paths below it that it does not serve are 404',
  },
]

/** Lists and their pages. */
const LIST_FAULTS: readonly Fault[] = [
  {
    what: 'a list is in the wrong order',
    files: { 'home/src/statements/home.ts': [['.orderBy(batch.id)', '.orderBy(sql`${batch.id} desc`)']] },
    foundBy: HOME_LIST,
  },
  {
    what: 'a page has one too many',
    files: { 'home/src/lists.ts': [['undefined : Number(limit)', 'undefined : Number(limit) + 1']] },
    foundBy: `Home: ${PAGES}`,
  },
  {
    what: 'no page links to the next',
    files: { 'home/src/lists.ts': [['first?.next === undefined ? {}', 'first !== undefined ? {}']] },
    foundBy: `Home: ${PAGES}`,
  },
  {
    what: 'a page begins with the last of the one before',
    files: {
      'home/src/statements/photo.ts': [
        ['const behind = and(gt(', 'const behind = and(gte('],
        ['gt, sql', 'gt, gte, sql'],
      ],
    },
    foundBy: `Home.Photo: ${PAGES}`,
  },
  {
    what: 'a page may be of any size',
    files: { 'home/src/lists.ts': [['Number(limit) > MAX_LIMIT', 'Number(limit) > 5000']] },
    foundBy: 'Home: `limit` takes 1 to 1000, `after` an id; else 400',
  },
  {
    what: 'a list holds the entries of all parents',
    files: {
      'home/src/statements/photo.ts': [
        [/and\(gt\(photoTable\.id, ([^)]*\))\), inParent\)/, 'gt(photoTable.id, $1)'],
      ],
    },
    foundBy: 'Home.Photo: list shows the entries of one parent alone, in both forms of its path',
  },
]

/** Who may read and write. */
const ACCESS_FAULTS: readonly Fault[] = [
  {
    what: 'everybody reads',
    files: {
      'note/src/routes/note.ts': [
        ['readOwn.execute({ id: input.id, _caller: caller.id })', 'read.execute({ id: input.id })'],
      ],
    },
    foundBy: 'Note: only the creator can read (3 users)',
  },
  {
    what: 'what others made is 403 where it should not be known',
    files: { 'note/src/errors.ts': [['ServiceError(404', 'ServiceError(403']] },
    foundBy: 'Note: only the creator can read (3 users)',
  },
  {
    what: 'nobody owns what is created',
    files: {
      'note/src/statements/note.ts': [
        ["_owner: given('_caller')", "_owner: sql`coalesce(null, gen_random_uuid(), ${given('_caller')})`"],
      ],
    },
    foundBy: 'Note: what is created can be read',
  },
  {
    what: 'a list shows what others made',
    files: { 'note/src/statements/note.ts': [[/(batch: [\s\S]*?\.where\()ownBehind/, '$1behind']] },
    foundBy: 'Note: list shows everybody their own alone (3 users)',
  },
  {
    what: 'everybody updates',
    files: {
      'home/src/routes/home.ts': [
        ['await access.requireWritable(id, caller)', ''],
        ['statements.updateOwn', 'statements.update'],
      ],
    },
    foundBy: 'Home: only the creator can update, others get 403 (3 users)',
  },
  {
    what: 'everybody deletes',
    files: { 'home/src/routes/home.ts': [['statements.deleteOwn', 'statements.delete']] },
    foundBy: 'Home: only the creator can delete, others get 403 (3 users)',
  },
  {
    what: 'what cannot be written is 404 where it can be read',
    files: { 'home/src/access.ts': [['throw forbidden()', "throw notFound('Home', id)"]] },
    foundBy: 'Home: only the creator can update, others get 403 (3 users)',
  },
  {
    what: 'the service believes a header that names a user',
    files: {
      'note/src/app.ts': [
        [
          'return caller\n',
          "const claimed = request.header('x-auth-request-user')\n    return claimed === undefined ? caller : { ...caller, id: claimed }\n",
        ],
      ],
    },
    foundBy: 'Note: headers that claim to be another user are ignored (2 users)',
  },
  {
    what: 'everybody adds entries',
    files: { 'home/src/routes/photo.ts': [['statements.createOwn', 'statements.create']] },
    foundBy: 'Home.Photo: every user can read, only who made the Home can write, others get 403 (3 users)',
  },
  {
    what: 'an entry is found under any parent',
    files: {
      'home/src/statements/photo.ts': [
        [/const one = and\((eq\(photoTable\.id, .*\)), inParent\)/, 'const one = $1'],
      ],
    },
    foundBy: 'Home.Photo: an entry is found under its own Home alone',
  },
  {
    what: 'a user has several entities of an #auth service',
    files: { 'host/src/routes/host.ts': [['const id = caller.id', 'const id = crypto.randomUUID()']] },
    foundBy: 'Host: an entity has the id of its creator',
  },
  {
    what: 'identify answers 200',
    files: { 'host/src/redirects.ts': [['status: 302', 'status: 200']] },
    foundBy: 'Host: identify answers 302 with the way to what the user has made (2 users)',
  },
]

/** Constraints of the database, and what the service makes of them. */
const CONSTRAINT_FAULTS: readonly Fault[] = [
  {
    what: 'a @unique constraint is missing',
    sql: {
      service: 'home',
      breaks: 'ALTER TABLE home DROP CONSTRAINT home__code__key',
      mends: 'TRUNCATE home CASCADE; ALTER TABLE home ADD CONSTRAINT home__code__key UNIQUE (code)',
    },
    foundBy: 'Home: no two have the same `code`',
  },
  {
    what: 'a @unique constraint holds for each parent alone',
    sql: {
      service: 'home',
      breaks:
        'ALTER TABLE photo DROP CONSTRAINT photo__caption__key, ADD CONSTRAINT p UNIQUE (caption, _parent)',
      mends:
        'TRUNCATE home CASCADE; ALTER TABLE photo DROP CONSTRAINT p, ADD CONSTRAINT photo__caption__key UNIQUE (caption)',
    },
    foundBy: 'Home.Photo: no two have the same `caption`, across all parents',
  },
  {
    what: 'a taken value is a fault of the service',
    files: {
      'home/src/routes/home.ts': [["if (failure.kind === 'unique')", "if (failure.kind === 'foreignKey')"]],
    },
    foundBy: 'Home: update cannot take the `code` of another',
  },
  {
    what: 'entries outlive their parent',
    sql: {
      service: 'home',
      breaks: 'ALTER TABLE photo DROP CONSTRAINT photo___parent__fkey',
      mends:
        'TRUNCATE home CASCADE; TRUNCATE photo CASCADE; ALTER TABLE photo ADD CONSTRAINT photo___parent__fkey FOREIGN KEY (_parent) REFERENCES home (id) ON DELETE CASCADE',
    },
    foundBy: 'Home.Photo: deleting a Home deletes its entries, whose @unique values are free again',
  },
  {
    what: 'entries outlive the entity of a user and come back with it',
    sql: {
      service: 'host',
      breaks: 'ALTER TABLE visit DROP CONSTRAINT visit___parent__fkey',
      mends:
        'TRUNCATE host CASCADE; TRUNCATE visit CASCADE; ALTER TABLE visit ADD CONSTRAINT visit___parent__fkey FOREIGN KEY (_parent) REFERENCES host (id) ON DELETE CASCADE',
    },
    foundBy: 'Host.Visit: a Host made again after its deletion has no entries of before',
  },
  {
    what: 'an entry that a sibling refers to can be deleted',
    sql: {
      service: 'home',
      breaks: 'ALTER TABLE tag DROP CONSTRAINT tag__photo__fkey',
      mends:
        'TRUNCATE home CASCADE; ALTER TABLE tag ADD CONSTRAINT tag__photo__fkey FOREIGN KEY (photo, _parent) REFERENCES photo (id, _parent)',
    },
    foundBy: 'Home.Tag: a Photo that `photo` refers to cannot be deleted',
  },
]

/** References between services. */
const REFERENCE_FAULTS: readonly Fault[] = [
  {
    what: 'create checks no reference',
    files: {
      'home/src/routes/home.ts': [
        [/await requireReferences\(\[\{ to: env\.comm\.host, id: request\.owner \}\], caller\)/, ''],
      ],
    },
    foundBy: 'Home: `owner` takes a Host that exists, in either case of its id',
  },
  {
    what: 'update checks no reference',
    files: {
      'home/src/routes/home.ts': [[/await requireReferences\([^)]*stored: current\.owner[^)]*\)/, '']],
    },
    foundBy: 'Home: update checks `owner`, and changes nothing where it is unknown',
  },
  {
    what: 'update checks what it does not change',
    files: { 'memo/src/references.ts': [['id !== stored', "id !== '' || stored === ''"]] },
    foundBy: 'Memo: `home` stays when its Home is deleted, and is not checked again until it changes',
  },
  {
    what: 'the last unknown reference is named',
    files: {
      'memo/src/references.ts': [
        [
          'for (const { to, id } of changed) {\n    const unknown',
          'for (const { to, id } of changed.toReversed()) {\n    const unknown',
        ],
      ],
    },
    foundBy: 'Memo: of `note` and `home` the first unknown one is named',
  },
  {
    what: 'what the caller cannot read can be referred to',
    files: { 'note/src/statements/note.ts': [[/and\((sql`[^`]*any\([^`]*`), own\)/, '$1']] },
    foundBy: 'Memo: `note` takes no Note that only another user can read (2 users)',
  },
  {
    what: 'entries that are not there can be referred to',
    files: { 'home/src/siblings.ts': [['found[index]?.length === 0', 'found[index] === undefined']] },
    foundBy: 'Home.Tag: `photo` takes a Photo that exists, in either case of its id',
    sql: {
      service: 'home',
      breaks: 'ALTER TABLE tag DROP CONSTRAINT tag__photo__fkey',
      mends:
        'TRUNCATE home CASCADE; ALTER TABLE tag ADD CONSTRAINT tag__photo__fkey FOREIGN KEY (photo, _parent) REFERENCES photo (id, _parent)',
    },
  },
]

/** Bodies and values. */
const VALUE_FAULTS: readonly Fault[] = [
  {
    what: 'missing attributes are named in another order',
    files: { 'home/src/wire/home.ts': [["['owner', 'address',", "['address', 'owner',"]] },
    foundBy:
      'Home: create asks for `owner`, `address`, `beds`, `rate`, `code`, `pin`, and names what is missing or wrong',
  },
  {
    what: 'a @client attribute is not required',
    files: { 'home/src/wire/home.ts': [[", 'pin'])", '])']] },
    foundBy:
      'Home: update asks for `owner`, `address`, `beds`, `rate`, `code`, `pin`, and names what is missing or wrong',
  },
  {
    what: 'null is a value',
    files: { 'memo/src/body.ts': [[' || body.get(name) === null', '']] },
    foundBy: 'Memo: create asks for `note`, `home`, `late`, `opens`, and names what is missing or wrong',
  },
  {
    what: 'one beyond the bound is taken',
    files: { 'home/src/wire/home.ts': [["'beds', 1, 40", "'beds', 0, 40"]] },
    foundBy: 'Home: `beds` refuses what is no int from 1 to 40',
  },
  {
    what: 'the bound is refused',
    files: { 'home/src/wire/home.ts': [["'beds', 1, 40", "'beds', 1, 39"]] },
    foundBy: 'Home: `beds` takes every int from 1 to 40',
  },
  {
    what: 'lengths count UTF-16 units',
    files: {
      'note/src/values/string.ts': [['counts ? countCodePoints(value) : value.length', 'value.length']],
    },
    foundBy: 'Note: `text` takes every string of at most 50 characters',
  },
  {
    what: 'U+0000 reaches the database',
    files: { 'note/src/values/string.ts': [["value.includes('\\0')", "value.includes('\\0\\0')"]] },
    foundBy: 'Note: `text` refuses what is no string of at most 50 characters',
  },
  {
    what: 'fractions are cut off integers',
    files: {
      'home/src/values/int.ts': [
        ['if (zeros < 0) return undefined', 'if (zeros < 0) return Math.trunc(Number(text))'],
      ],
    },
    foundBy: 'Home: `beds` refuses what is no int from 1 to 40',
  },
  {
    what: 'offsets of moments are counted the wrong way',
    files: { 'note/src/values/datetime.ts': [["sign === '-' ?", "sign === '+' ?"]] },
    foundBy: 'Note: `at` takes every datetime',
  },
  {
    what: 'base64 that is not canonical is taken',
    files: {
      'note/src/values/data.ts': [
        [/if \(bytes\.toString\('base64'\) !== value\)/, 'if (bytes.length > value.length)'],
      ],
    },
    foundBy: 'Note: `image` refuses what is no data of at most 100 bytes in base64',
  },
  {
    what: 'a day that no calendar has is taken',
    files: { 'home/src/values/calendar.ts': [['day <= daysOf(year, month)', 'day <= 31']] },
    foundBy: 'Home.Photo: `taken` refuses what is no date',
  },
  {
    what: 'the first of two equal keys counts',
    files: {
      'note/src/json.ts': [
        [
          'object.set(key, this.#value())',
          'const value = this.#value()\n        if (!object.has(key)) object.set(key, value)',
        ],
      ],
    },
    foundBy: 'Note: of a key that is there twice the last counts; `__proto__` and `constructor` do no harm',
  },
  {
    what: 'a body that is too large is 400',
    files: { 'note/src/body.ts': [['ServiceError(413', 'ServiceError(400']] },
    foundBy: 'Note: create refuses a body of more than 1048576 bytes with 413',
  },
  {
    what: 'bytes that are no UTF-8 are taken',
    files: { 'note/src/body.ts': [['fatal: true', 'fatal: false']] },
    foundBy: 'Note: create refuses bodies that are no JSON object',
  },
]

/** The gateway and the authentication service. */
const IDENTITY_FAULTS: readonly Fault[] = [
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

/** All of them. */
export const FAULTS: readonly Fault[] = [
  ...ENDPOINT_FAULTS,
  ...LIST_FAULTS,
  ...ACCESS_FAULTS,
  ...CONSTRAINT_FAULTS,
  ...REFERENCE_FAULTS,
  ...VALUE_FAULTS,
  ...IDENTITY_FAULTS,
]
