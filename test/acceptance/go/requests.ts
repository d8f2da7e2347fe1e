/** A request. In its path and body, `{b1}` stands for the id of an entity. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: string | Buffer | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Whether it goes to the second port. */
  readonly internal?: boolean
  /** All bytes instead, in Latin-1. */
  readonly raw?: string
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

export const ID = '01a21be5-d294-79ea-b18d-c003ae40d1c5'
export const texts = (...values: readonly unknown[]) => values.map((value) => JSON.stringify(value))
export const OTHER = ['null', '1', 'true', '[]', '{}', '"x"', '""']

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
      '1.25',
      '1e3',
      '1e21',
      '0.1',
      '123456789012345680',
      '1e400',
      '-0',
      '1.0',
      '0.001',
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
      '1',
      'true',
      '[]',
      '"x"',
      '""',
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
  '{"TITLE":"x"}',
  '{"a":"\\ud800"}',
  '{"a":"\t"}',
  "{'a':1}",
  '{"a":NaN}',
  '{"a":01}',
  '{"a":1}{}',
  '\u00a0{}',
  Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  `{"x":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  'x'.repeat(70_000),
  `{"x":"${'x'.repeat(70_000)}"}`,
  `[${'1,'.repeat(26_000)}1]`,
  `{"a":[${'1,'.repeat(30_000)}1]}`,
]

export const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']

export const PATHS: readonly string[] = [
  '/',
  '/book',
  '/book/',
  '/book/all',
  '/book/all/',
  '/book/{b3}',
  '/book/{b3}/',
  '/book/x',
  '/book/{b3}/copy',
  '/book/{b3}/copy/all',
  '/book/{b3}/copy/{b3}/all',
  '/book/{b3}/copy/x/all',
  '/book/x/copy/all',
  '/book/{b3}/copy/{b3}',
  '//book/all',
  '/book//all',
  '/BOOK/all',
  '/book/all?x=1',
  '/book/%61ll',
  '/book?x',
  `/book/${ID.toUpperCase()}`,
  '/references',
  '/health/ready',
  '/book/all%20',
  '/book/all/all',
  '/books',
  '/boo',
]

export const QUERIES: readonly string[] = [
  'limit=1',
  'limit=0',
  'limit=1000',
  'limit=1001',
  'limit=01',
  'limit=+1',
  'limit=-1',
  'limit=1.0',
  'limit=',
  'limit=99999999999999999999',
  'limit=1&limit=2',
  'limit=1;x',
  'limit=%zz',
  'limit=%31',
  'after=',
  'after=x',
  'after={b1}',
  'total=true',
  'total=false',
  'total=1',
  'sort=title',
  'sort=-title',
  'sort=weight&limit=2',
  'sort=-weight&limit=2',
  'sort=pages',
  'sort=',
  'sort=title&after=x',
  'sort=title&after=',
  'sort=title&sort=title',
  'language=french',
  'language=x',
  'language=null',
  'language[in]=french,other',
  'language[in]=',
  'language=',
  'language%5Bin%5D=french',
  'language[gt]=x',
  'language[in]=french,x',
  'pages=1',
  'pages=01',
  'pages=1e0',
  'pages=%201',
  'pages=%221%22',
  'pages=null',
  'pages=',
  'pages[gte]=2&pages[lte]=4',
  'pages[gt]=x',
  'pages[in]=1,2,x',
  'pages[in]=1,2',
  'pages[in]=,',
  'weight=null',
  'weight=0.1',
  'weight[in]=0.1,7',
  'weight[gt]=1',
  'weight[gt]=null',
  'weight[in]=null',
  'weight=-1',
  'weight=1e39',
  'foo=1',
  '=1',
  '&&',
  '&limit=1',
  'limit=1&total=true&language=english',
  'limit=1&weight[gte]=0&sort=title',
  'limit=2&pages[gte]=1',
  'limit=1&language[in]=english,french,other',
  'constructor=1',
  '__proto__=1',
  'LIMIT=1',
  'limit',
  'limit=1#x',
]

/** A service with every type. */
export const EVERY = `
Every: service {
  flag: bool;
  anyText: string;
  exactText: string(8, 8);
  anyInt: int;
  range: int(100, 1);
  one: int(precision: 1);
  three: int(precision: 3);
  wide: int(9223372036854775807, -9223372036854775808, 8);
  anyFloat: float;
  share: float(1.0, 0.0);
  single: float(1e6, -0.25, 4);
  amount: decimal;
  ratio: decimal(scale: 18);
  day: date;
  clock: time;
  moment: datetime;
  blob: data;
  state: enum(new, in-use, 2xl);
  remark: string(200)?;
  maybe: int?;
  later: datetime?;
  active: bool = true;
  grade: int(5, 1) = 3;
  country: string(2) = "NL";
  #enumerable(
    filter: [flag, range, wide, share, single, amount, day, clock, moment, state, remark, maybe, later],
    sort: [flag, range, wide, share, single, amount, day, clock, moment, state, maybe, later],
  );
  #readable(by: all);
}
`

/** A body that creates an entity of it. */
export function everyWith(more: object): string {
  return JSON.stringify({
    flag: true,
    anyText: 'x',
    exactText: '12345678',
    anyInt: 1,
    range: 1,
    one: 1,
    three: 1,
    wide: 1,
    anyFloat: 0.5,
    share: 0.5,
    single: 0.5,
    amount: 1,
    ratio: '0.5',
    day: '2020-01-01',
    clock: '08:00:00',
    moment: '2020-01-01T00:00:00Z',
    blob: 'aGk=',
    state: 'new',
    ...more,
  })
}

const INTEGERS =
  '0 -0 1 1.0 1e0 1e2 100 101 -1 127 128 -128 -129 8388607 8388608 2147483648 9007199254740991 9007199254740992 -9007199254740992 9223372036854775807 1e400 1.5 0.1e1 1E+1 01 +1 1. 0x1'
const FLOATS =
  '0 -0 1 0.1 -0.25 -0.250001 1e-400 1e400 1.0000001 1.00000001 0.30000000000000004 5e-324 1.7976931348623157e308 1e21 1e-7 123456789.125 1e6 1000000.03 1000000.04 16777217'
const DECIMALS =
  '1 0.1 -0 -0.00 1.23 1e2 1e-2 12345678901234567890 0.000000000000000001 0.0000000000000000001 99999999999999999999'

/** Values of its attributes in JSON. */
export const EVERY_VALUES: readonly (readonly [key: string, values: readonly string[]])[] = [
  ['flag', [...OTHER, 'false', '"true"', 'True']],
  [
    'anyText',
    [...OTHER, ...texts('a'.repeat(5000), '\u2028', '\ufffd', 'ﬁ', 'a\u0301', '\u0001', '\u{10ffff}')],
  ],
  ['exactText', [...OTHER, ...texts('1234567', '123456789', '😀'.repeat(8), 'é'.repeat(8), '        ')]],
  ...['anyInt', 'range', 'one', 'three', 'wide', 'maybe', 'grade'].map(
    (key) => [key, [...OTHER, ...INTEGERS.split(' ')]] as const,
  ),
  ...['anyFloat', 'share', 'single'].map((key) => [key, [...OTHER, ...FLOATS.split(' ')]] as const),
  ...['amount', 'ratio'].map(
    (key) =>
      [key, [...OTHER, ...DECIMALS.split(' '), ...texts(...DECIMALS.split(' '), '1.', ' 1', '٣')]] as const,
  ),
  [
    'day',
    [...OTHER, ...texts('1900-02-29', '2000-02-29', '2020-W01-1', '20200101', '+2020-01-01', '2020-01-01 ')],
  ],
  [
    'clock',
    [
      ...OTHER,
      ...texts('23:59:59.999999', '23:59:60', '00:00:00.000000', '08:00:00,5', '08:00:00+01:00', '٠8:00:00'),
    ],
  ],
  ...['moment', 'later'].map(
    (key) =>
      [
        key,
        [
          ...OTHER,
          ...texts(
            '2020-02-29t12:00:00z',
            '2020-02-29T12:00:00+23:59',
            '2020-02-29T12:00:00+24:00',
            '2020-02-29T12:00:00-00:00',
            '2020-02-29T12:00:00.1234567Z',
            '2020-02-29T12:00:00.120Z',
            '2020-02-30T12:00:00Z',
            '2020-02-29T24:00:00Z',
            '2020-02-29T23:59:60Z',
            '2020-02-29 12:00:00Z',
            '2020-02-29T12:00Z',
            '2020-02-29T12:00:00',
            '2020-02-29T12:00:00+0100',
            '0001-01-01T00:00:00+00:01',
            '0001-01-01T00:00:00-00:01',
            '9999-12-31T23:59:59.999999Z',
            '9999-12-31T23:59:59-00:01',
            '0000-12-31T23:59:59-00:01',
            '2020-02-29T12:00:00,5Z',
            '2020-02-29T1:00:00Z',
          ),
        ],
      ] as const,
  ),
  [
    'blob',
    [
      ...OTHER,
      ...texts('AA==', 'AB==', 'AAA=', 'AAB=', 'AAAA', 'AA=', '=', '====', 'AA==\n', ' AA==', 'A A=', '+/+/'),
    ],
  ],
  ['state', [...OTHER, ...texts('new', 'in-use', 'inUse', 'New', '2xl')]],
  ['remark', [...OTHER, ...texts('a'.repeat(200), 'a'.repeat(201))]],
  ['active', [...OTHER, 'false']],
  ['country', [...OTHER, ...texts('NLD', 'éé')]],
]

const FILTERED: Readonly<Record<string, readonly string[]>> = {
  flag: ['true', 'false', 'True', '1', 'null', '%20true'],
  range: ['1', '3.0', '3e0', '0', '101', '%221%22', 'null', '1_0'],
  wide: ['1', '9007199254740993', '-1', '1e3'],
  share: ['0.5', '1.1', '-0', '.5', 'NaN', 'Infinity', '0x1'],
  single: ['0.5', '0.1', '1e7', '-0.25'],
  amount: ['1', '1.00', '1e0', '0.5', '-0', '99999999999999999999999999999999999999'],
  day: ['2020-01-01', '2020-1-1', 'null'],
  clock: ['08:00:00', '08:00:00.0', '8:00:00'],
  moment: ['2020-01-01T00:00:00Z', '2020-01-01T01:00:00%2B01:00', '2020-01-01t00:00:00z', '2020'],
  state: ['new', 'NEW', 'in-use', ''],
  remark: ['null', '', 'x', '%00', '%ff', '%ed%a0%80'],
  maybe: ['null', '1', 'x'],
  later: ['null', '2020-01-01T00:00:00Z'],
  anyText: ['x'],
}

/** Queries of its list. */
export const FILTERS: readonly string[] = Object.entries(FILTERED).flatMap(([key, values]) => [
  ...values.flatMap((value) =>
    ['', '[in]', '[gt]', '[lte]', '[ne]'].map((operator) => `${key}${operator}=${value}`),
  ),
  `sort=${key}&limit=2`,
  `sort=-${key}&limit=2&total=true`,
  `${key}[in]=${values.slice(0, 2).join(',')}&sort=range`,
])

/** Queries of the list of loans. */
export const LOAN_QUERIES: readonly string[] = [
  '',
  'book={b1}',
  'book[in]={b1},{b2}',
  'book=x',
  'book=null',
  `book=${ID}&total=true`,
  'book={b1}&sort=shelf',
  'sort=shelf&limit=2',
  'sort=-shelf&limit=1',
  'sort=book',
  'reader={r1}',
  'total=true&limit=1',
]

const EMAILS = [
  ...texts(
    'a@example.org',
    'A@EXAMPLE.org',
    'a@b',
    'a',
    '',
    '@',
    'a@',
    'a@b.',
    'a@-b',
    'a b@c',
    'é@b.c',
    ' a@b.c',
    'a@b..c',
  ),
  ...texts(`${'a'.repeat(242)}@example.org`, `${'a'.repeat(243)}@example.org`, 'a@b\u0000'),
  'null',
  '1',
  '[]',
]
const PASSWORDS = [
  ...texts(
    '1234567',
    '',
    'a'.repeat(73),
    'é'.repeat(37),
    '1234567\u0000',
    '\ud800aaaaaaa',
    'a\u00a0\u3000bc',
  ),
  'null',
  '12345678',
  '{}',
]

/** Bodies of requests to register or log in. */
export const CREDENTIALS: readonly string[] = [
  ...EMAILS.map((email) => `{"email":${email},"password":"long enough"}`),
  ...PASSWORDS.map((password) => `{"email":"b@example.org","password":${password}}`),
  '{}',
  '{"email":"x","password":"y"}',
  '{"email":"c@example.org","password":"12345678","roles":["librarian"],"id":"x"}',
  '{"Email":"c@example.org","Password":"12345678"}',
]

const HEAD = 'Host: a\r\nAuthorization: TOKEN\r\nConnection: close\r\n'
const BOOK = bookWith(900)
const size = (text: string) => text.length.toString(16)

/** Requests in bytes. */
export const RAW: readonly string[] = [
  // Chunked bodies.
  `POST /book HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n${size(BOOK)}\r\n${BOOK}\r\n0\r\n\r\n`,
  `POST /book HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`,
  `POST /book HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `GET /book/all?limit=1 HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  // Lengths.
  `POST /book HTTP/1.1\r\n${HEAD}Content-Length: 0\r\n\r\n`,
  `POST /book HTTP/1.1\r\n${HEAD}\r\n`,
  `POST /book HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\nTrailer: X\r\n\r\n2;a=b\r\n{}\r\n0\r\nX: y\r\n\r\n`,
  `GET /book/all?limit=1 HTTP/1.1\r\n${HEAD}Content-Length: 2\r\n\r\n{}`,
  `DELETE /book/${ID} HTTP/1.1\r\n${HEAD}Content-Length: 1\r\n\r\nx`,
  `POST /book HTTP/1.1\r\n${HEAD}Content-Length: 70000000\r\n\r\n{}`,
  `POST /book HTTP/1.1\r\n${HEAD}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
  // Targets.
  `GET http://other/book/all?limit=1 HTTP/1.1\r\n${HEAD}\r\n`,
  `GET /book/%00 HTTP/1.1\r\n${HEAD}\r\n`,
  `GET /book/a%2fb HTTP/1.1\r\n${HEAD}\r\n`,
  `GET /book;x/all HTTP/1.1\r\n${HEAD}\r\n`,
  `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${HEAD}\r\n`,
  // Methods and headers.
  `PURGE /book/all HTTP/1.1\r\n${HEAD}\r\n`,
  `TRACE /book/all HTTP/1.1\r\n${HEAD}\r\n`,
  `GET /book/all?limit=1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: TOKEN\r\nAuthorization: x\r\n\r\n`,
  `GET /book/all?limit=1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\nauthorization:TOKEN\r\n\r\n`,
  `GET /book/all?limit=1 HTTP/1.1\r\n${HEAD}Upgrade: websocket\r\n\r\n`,
]

/** Requests to which the responses differ, by the words with which docs/go.md says so. */
export const DIFFERENT: Readonly<Record<string, readonly Sent[]>> = {
  'that break the rules of HTTP': [
    `POST /book HTTP/1.1\r\n${HEAD}Content-Length: 2\r\n\r\n{}trailing`,
    `POST /book HTTP/1.1\r\n${HEAD}Content-Length: x\r\n\r\n{}`,
    `POST /book HTTP/1.1\r\n${HEAD}Transfer-Encoding: gzip\r\n\r\n{}`,
    `POST /book HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\nx\r\n{}\r\n0\r\n\r\n`,
    'GET /book/all HTTP/1.1\r\nConnection: close\r\n\r\n',
    `GET /book/all HTTP/1.1\r\nHost: a\r\nHost: b\r\n${HEAD}\r\n`,
    `GET /book/all HTTP/1.1\r\n${HEAD}X Y: z\r\n\r\n`,
    `GET /book/all HTTP/1.1\r\n${HEAD}X: a\u0000b\r\n\r\n`,
    `GET  /book/all HTTP/1.1\r\n${HEAD}\r\n`,
    `GET /book/all HTTP/9.9\r\n${HEAD}\r\n`,
    `G@T /book/all HTTP/1.1\r\n${HEAD}\r\n`,
    'x\r\n\r\n',
    `GET /book/%zz HTTP/1.1\r\n${HEAD}\r\n`,
    `GET /book/\u00e9 HTTP/1.1\r\n${HEAD}\r\n`,
    `OPTIONS * HTTP/1.1\r\n${HEAD}\r\n`,
    `CONNECT a:1 HTTP/1.1\r\n${HEAD}\r\n`,
    `GET /book/all HTTP/1.1\r\n${HEAD}X: ${'x'.repeat(60_000)}\r\n\r\n`,
    `GET /book/all?limit=1 HTTP/1.0\r\nAuthorization: TOKEN\r\n\r\n`,
    `get /book/all HTTP/1.1\r\n${HEAD}\r\n`,
    `GET /book/all?limit=1 HTTP/1.1\r\n${HEAD}X: y\r\n z\r\n\r\n`,
  ].map((raw) => ({ method: '', path: '', raw })),
  'dots in paths': ['/book/%2e%2e/book/all', '/book/../book/all'].map((path) => ({
    method: '',
    path: '',
    raw: `GET ${path} HTTP/1.1\r\n${HEAD}\r\n`,
  })),
  'ids that are not UTF-8': [{ method: 'GET', path: '/book/%ff' }],
  'nested deeper than 10,000 levels': [
    { method: 'POST', path: '/book', body: `{"x":${'['.repeat(10_000)}${']'.repeat(10_000)}}` },
  ],
}
