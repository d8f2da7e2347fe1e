/** A request. In its path and body, `{b1}` stands for the id of an entity. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: string | Buffer | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Whether it goes to the second port. */
  readonly internal?: boolean
}

/** A body that creates a book. */
export function bookWith(number: number, more: object = {}): string {
  return JSON.stringify({
    title: `T${number}`,
    isbn: `isbn-${String(number).padStart(6, '0')}`,
    pages: number,
    published: '2020-02-29',
    reason: 'x',
    opensAt: '08:00:00',
    ...more,
  })
}

const ID = '01a21be5-d294-79ea-b18d-c003ae40d1c5'
const texts = (...values: readonly unknown[]) => values.map((value) => JSON.stringify(value))
const OTHER = ['null', '1', 'true', '[]', '{}', '"x"', '""']

/** Values of attributes in JSON. */
export const VALUES: readonly (readonly [key: string, values: readonly string[]])[] = [
  [
    'title',
    [
      ...OTHER,
      ...texts('a'.repeat(200), 'a'.repeat(201), 'é'.repeat(200), '😀'.repeat(200), '😀'.repeat(201)),
      ...texts('\u0000', '\ud800', '\udc00x', '\u2028x\\u2028\\\u2029', '<&>', 'tab\t', '\u007f', '\ufeff'),
    ],
  ],
  ['isbn', [...OTHER, ...texts('123456789', '1234567890', '12345678901234')]],
  ['language', [...OTHER, ...texts('english', 'ENGLISH', ' english')]],
  [
    'price',
    [
      ...OTHER,
      ...texts(
        '1',
        '1.2',
        '1.234',
        '-0.00',
        '-1',
        '01',
        '1.',
        '.5',
        '+1',
        '1e2',
        '9'.repeat(36),
        '9'.repeat(37),
      ),
      ...['1.25', '1e3', '1e21', '0.1', '123456789012345680', '1e400', '-0', '1.0', '0.001'],
    ],
  ],
  [
    'weight',
    [...OTHER, '0', '-0', '-1', '1e39', '1e400', '0.1', '16777217', '3.4028236e38', '1e-50', '"0.1"'],
  ],
  [
    'pages',
    [...OTHER, '0', '1', '9999', '10000', '1.5', '1.0', '1e2', '-0', '9007199254740993', '1e400', '"1"'],
  ],
  [
    'published',
    [
      ...OTHER,
      ...texts(
        '2021-02-29',
        '2020-02-29',
        '0000-01-01',
        '0001-01-01',
        '9999-12-31',
        '10000-01-01',
        '2020-1-1',
      ),
      ...texts('2020-02-29T00:00:00Z', ' 2020-02-29', '2020-13-01', '2020-00-10', '2020-04-31'),
    ],
  ],
  [
    'opensAt',
    [
      ...['1', 'true', '[]', '"x"', '""'],
      ...texts(
        '08:00:00',
        '08:00:00.5',
        '08:00:00.500000',
        '08:00:00.1234567',
        '24:00:00',
        '08:00',
        '8:00:00',
      ),
      ...texts('08:00:60', '08:00:00.', '08:60:00', '08:00:00Z'),
    ],
  ],
  [
    'cover',
    [
      ...OTHER,
      ...texts('aGk=', 'aGk', 'aG-_', 'a', 'aGl=', 'aG\nk=', 'aGk=='),
      ...texts(Buffer.alloc(1000).toString('base64'), Buffer.alloc(1001).toString('base64')),
    ],
  ],
  ['reason', [...OTHER, ...texts('x'.repeat(41))]],
  [
    'sequelOf',
    [...OTHER, ...texts(ID, `urn:uuid:${ID}`, ID.toUpperCase(), `{${ID}}`, ID.replaceAll('-', ''))],
  ],
  ...['addedAt', 'hidden', 'id', 'createdAt', 'constructor', '__proto__', 'TITLE', 'unknown'].map(
    (key) => [key, ['"x"', '1']] as const,
  ),
]

/** Bodies, most of which are not JSON objects. */
export const BODIES: readonly (string | Buffer)[] = [
  ...[
    '',
    '[]',
    'null',
    '1',
    '"x"',
    '{',
    '{}',
    '{"a":1,}',
    '\ufeff{}',
    '{"title":1,"title":"x"}',
    ' {} ',
    '{}x',
  ],
  ...[
    '{"TITLE":"x"}',
    '{"a":"\\ud800"}',
    '{"a":"\t"}',
    "{'a':1}",
    '{"a":NaN}',
    '{"a":01}',
    '{"a":1}{}',
    '\u00a0{}',
  ],
  Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  `{"x":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  'x'.repeat(70_000),
  `{"x":"${'x'.repeat(70_000)}"}`,
  `[${'1,'.repeat(26_000)}1]`,
  `{"a":[${'1,'.repeat(30_000)}1]}`,
]

export const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']

export const PATHS: readonly string[] = [
  ...[
    '/',
    '/book',
    '/book/',
    '/book/all',
    '/book/all/',
    '/book/{b3}',
    '/book/{b3}/',
    '/book/x',
    '/book/{b3}/copy',
  ],
  ...['/book/{b3}/copy/all', '/book/{b3}/copy/{b3}/all', '/book/{b3}/copy/x/all', '/book/x/copy/all'],
  ...[
    '/book/{b3}/copy/{b3}',
    '//book/all',
    '/book//all',
    '/BOOK/all',
    '/book/all?x=1',
    '/book/%61ll',
    '/book?x',
  ],
  ...[
    `/book/${ID.toUpperCase()}`,
    '/references',
    '/health/ready',
    '/book/all%20',
    '/book/all/all',
    '/books',
    '/boo',
  ],
]

export const QUERIES: readonly string[] = [
  ...[
    'limit=1',
    'limit=0',
    'limit=1000',
    'limit=1001',
    'limit=01',
    'limit=+1',
    'limit=-1',
    'limit=1.0',
    'limit=',
  ],
  ...[
    'limit=99999999999999999999',
    'limit=1&limit=2',
    'limit=1;x',
    'limit=%zz',
    'limit=%31',
    'after=',
    'after=x',
  ],
  ...[
    'after={b1}',
    'total=true',
    'total=false',
    'total=1',
    'sort=title',
    'sort=-title',
    'sort=weight&limit=2',
  ],
  ...[
    'sort=-weight&limit=2',
    'sort=pages',
    'sort=',
    'sort=title&after=x',
    'sort=title&after=',
    'sort=title&sort=title',
  ],
  ...[
    'language=french',
    'language=x',
    'language=null',
    'language[in]=french,other',
    'language[in]=',
    'language=',
  ],
  ...[
    'language%5Bin%5D=french',
    'language[gt]=x',
    'language[in]=french,x',
    'pages=1',
    'pages=01',
    'pages=1e0',
  ],
  ...['pages=%201', 'pages=%221%22', 'pages=null', 'pages=', 'pages[gte]=2&pages[lte]=4', 'pages[gt]=x'],
  ...['pages[in]=1,2,x', 'pages[in]=1,2', 'pages[in]=,', 'weight=null', 'weight=0.1', 'weight[in]=0.1,7'],
  ...[
    'weight[gt]=1',
    'weight[gt]=null',
    'weight[in]=null',
    'weight=-1',
    'weight=1e39',
    'foo=1',
    '=1',
    '&&',
    '&limit=1',
  ],
  ...['limit=1&total=true&language=english', 'limit=1&weight[gte]=0&sort=title', 'limit=2&pages[gte]=1'],
  ...[
    'limit=1&language[in]=english,french,other',
    'constructor=1',
    '__proto__=1',
    'LIMIT=1',
    'limit',
    'limit=1#x',
  ],
]
