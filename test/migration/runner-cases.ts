/** States of a database: the hashes of schemas. */
export const [A, B, C] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string]

/** What happens in a case, in this order. Whatever is absent is not checked, except that commands are silent. */
export interface Step {
  /** Files of `home-db/migrations` that are written, by name, or removed (`null`). */
  readonly files?: Readonly<Record<string, string | null>>
  /** SQL that somebody else runs before. */
  readonly before?: string
  /** Whether code of a schema runs meanwhile: the first half of its hash. */
  readonly running?: string
  /** How many commands run at the same time. Default: 1. */
  readonly times?: number
  /** Options of the command. */
  readonly args?: readonly string[]
  /** The lines that the commands print together, without times. */
  readonly out?: readonly string[]
  /** The error of the command, which then has the status 1. */
  readonly error?: string
  /** A query, and the values that it returns. */
  readonly rows?: readonly [query: string, ...values: readonly unknown[]]
}

/**
 * What a runner of migrations does with an empty database, whatever its language. The directory has `0001_initial.sql`,
 * which creates the table `home` with a column `name` and leads to the state A.
 */
export interface RunnerCase {
  readonly name: string
  readonly steps: readonly Step[]
}

const INITIAL = `-- schema: none -> ${A}\n\nCREATE TABLE "home" ("id" int, "name" text);\n`

/** The files of each case before its first step. */
export const FIRST = { '0001_initial': INITIAL }

const file = (sql: string, header = '') => `-- schema: ${A} -> ${B}\n${header}\n${sql}\n`
const applied = (...names: string[]) => names.map((name) => `Applied home-db/migrations/${name}.sql in N ms`)
const RECORDED = 'SELECT name FROM _migration ORDER BY name'
const COLUMNS = `SELECT attname FROM pg_attribute WHERE attrelid = 'home'::regclass AND attnum > 2 ORDER BY attnum`
const validIndex = (isValid: boolean) =>
  [`SELECT indisvalid FROM pg_index WHERE indexrelid = 'mine'::regclass`, isValid] as const

const DEPLOYED: Step = { out: applied('0001_initial') }

/** A file that Postgres rejects. It changes nothing. */
const rejected = (name: string, sql: string, error: string, header = ''): RunnerCase => ({
  name,
  steps: [
    {
      files: { '0002_b': file(sql, header) },
      out: applied('0001_initial'),
      error: `home-db/migrations/0002_b.sql${error}`,
      rows: [COLUMNS],
    },
  ],
})

/** Texts that Postgres reads in its own way, and the name in the only row after each. */
const READ: readonly (readonly [sql: string, value: string])[] = [
  // Nested comments.
  [`UPDATE home SET name = 'x' /* a /* b */ WHERE false; DELETE FROM home; */;`, 'x'],
  // A tag that is not ASCII.
  [`UPDATE home SET name = $é$;';$$;$é$;`, `;';$$;`],
  [`UPDATE home SET name = 'y' -- \u2028 WHERE false; DELETE FROM home;\n;`, 'y'],
  [`UPDATE home\r\n SET name = 'z' -- a\r, id = 2\r\n;`, 'z'],
  [`UPDATE home SET name = E'\\';' || 'b\\'; -- '`, `';b\\`],
  [`ALTER TABLE home ADD "a"";'" text DEFAULT '"'; UPDATE home SET name = "a"";'";`, '"'],
  [
    `CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END; UPDATE home SET name = f();`,
    '2',
  ],
]

export const CASES: readonly RunnerCase[] = [
  {
    name: 'applies each file once, in the order of the numbers',
    steps: [
      {
        files: {
          '0010_c': `-- schema: ${B} -> ${A}\nDROP TABLE added;`,
          '0002_b': file('CREATE TABLE added (n int);'),
        },
        out: applied('0001_initial', '0002_b', '0010_c'),
        rows: ['SELECT schema FROM _migration ORDER BY name', A, B, A],
      },
      { rows: [RECORDED, '0001_initial', '0002_b', '0010_c'] },
    ],
  },
  {
    name: 'applies each file once, however many commands run at the same time',
    steps: [{ times: 4, out: applied('0001_initial'), rows: [RECORDED, '0001_initial'] }],
  },
  {
    name: 'continues after a file that failed and was corrected',
    steps: [
      {
        files: { '0002_b': file('ALTER TABLE home ADD lost int; SELECT 1/0;') },
        out: applied('0001_initial'),
        error: 'home-db/migrations/0002_b.sql: division by zero',
        rows: [RECORDED, '0001_initial'],
      },
      {
        files: { '0002_b': file('ALTER TABLE home ADD fine int;') },
        out: applied('0002_b'),
        rows: [COLUMNS, 'fine'],
      },
    ],
  },
  {
    name: 'applies a file that only says something',
    steps: [{ files: { '0002_b': file('-- nothing') }, out: applied('0001_initial', '0002_b') }],
  },
  {
    name: 'leaves it to Postgres where a comment, a text or a statement ends',
    steps: [
      {
        files: Object.fromEntries([
          ['0002_b', file(`INSERT INTO home VALUES (1); CREATE TABLE names (number serial, name text);`)],
          ...READ.map(([sql], index) => [
            `000${index + 3}_b`,
            `-- schema: ${B} -> ${B}\n${sql}\nINSERT INTO names (name) SELECT name FROM home;`,
          ]),
        ]),
        out: applied('0001_initial', '0002_b', ...READ.map((_, index) => `000${index + 3}_b`)),
        rows: ['SELECT name FROM names ORDER BY number', ...READ.map(([, name]) => name)],
      },
    ],
  },
  rejected(
    'names the line of an error',
    'ALTER TABLE home ADD lost int;\nSELECT\n  nonsense;',
    `, line 5: column "nonsense" does not exist\n  nonsense;`,
  ),
  rejected(
    'names the line of a syntax error',
    `SELECT '\u{1f600}';\nSELEKT 1;`,
    `, line 4: syntax error at or near "SELEKT"\n  SELEKT 1;`,
  ),
  rejected(
    'prints the message of a failed check',
    `DO $$ BEGIN\n  RAISE EXCEPTION 'Rows of home share their name';\nEND $$;`,
    ': Rows of home share their name',
  ),
  rejected(
    'prints the message of an error in another text',
    `DO $$ BEGIN\n\n\n  EXECUTE 'SELEKT';\nEND $$;`,
    ': syntax error at or near "SELEKT"',
  ),
  ...['BEGIN', 'COMMIT', 'ROLLBACK', 'SAVEPOINT s'].map((word) =>
    rejected(
      `lets no file leave its transaction with ${word}`,
      `ALTER TABLE home ADD lost int; ${word}; SELECT 1;`,
      ': EXECUTE of transaction commands is not implemented',
    ),
  ),
  rejected(
    'runs only one statement without a transaction',
    'ALTER TABLE home ADD lost int; CREATE INDEX CONCURRENTLY i ON home (name);',
    ': cannot insert multiple commands into a prepared statement',
    '-- no transaction\n',
  ),
  rejected(
    'does not take a comment that is stored for its own',
    `COMMENT ON TABLE home IS '\n-- no transaction\n'; ALTER TABLE home ADD lost int; SELECT 1/0;`,
    ': division by zero',
  ),
  rejected(
    'prints the first error when the connection is lost',
    'ALTER TABLE home ADD lost int; SELECT pg_terminate_backend(pg_backend_pid());',
    ': terminating connection due to administrator command',
  ),
  {
    name: 'runs a file without a transaction that says so',
    steps: [
      {
        files: {
          '0002_b': file(
            'CREATE INDEX CONCURRENTLY IF NOT EXISTS mine ON home (name);',
            '-- no transaction\n',
          ),
        },
        times: 3,
        out: applied('0001_initial', '0002_b'),
        rows: validIndex(true),
      },
    ],
  },
  {
    name: 'builds an index again that a failed run left',
    steps: [
      DEPLOYED,
      {
        before: `INSERT INTO home VALUES (1, 'x'), (2, 'x')`,
        files: {
          '0002_b': file(
            'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS mine ON home (name);',
            '-- no transaction\n',
          ),
        },
        error: 'home-db/migrations/0002_b.sql: could not create unique index "mine"',
        rows: validIndex(false),
      },
      { before: 'DELETE FROM home', out: applied('0002_b'), rows: validIndex(true) },
    ],
  },
  {
    name: 'runs each file with the settings of a new connection',
    steps: [
      {
        files: {
          '0002_b': file(`SELECT set_config('search_path', '', false); SET lock_timeout = 0;`),
          '0003_c': `-- schema: ${B} -> ${C}\nALTER TABLE home ADD fine int;`,
        },
        out: applied('0001_initial', '0002_b', '0003_c'),
        rows: [COLUMNS, 'fine'],
      },
    ],
  },
  {
    name: 'reports a file that was changed after it was applied, and does not run it again',
    steps: [
      DEPLOYED,
      { files: { '0001_initial': INITIAL.replaceAll('\n', '\r\n') } },
      {
        files: { '0001_initial': `${INITIAL}-- Words.\n` },
        out: ['home-db/migrations/0001_initial.sql was changed after it was applied. It does not run again'],
      },
      {
        files: { '0001_initial': INITIAL.replace(A, B) },
        error:
          'home-db/migrations/0001_initial.sql was changed after it was applied and now leads to another schema. ' +
          'Applied migrations do not run again: restore the file and write a new one',
      },
    ],
  },
  {
    name: 'rejects files that do not follow each other',
    steps: [
      { files: { '0003_ours': file('SELECT 1;') }, out: applied('0001_initial', '0003_ours') },
      {
        files: { '0004_theirs': file('SELECT 1;') },
        error: 'home-db/migrations/0004_theirs.sql does not start from the schema that 0003_ours leads to',
      },
      {
        files: { '0004_theirs': null, '0002_theirs': `-- schema: ${B} -> ${B}\nSELECT 1;` },
        error: 'home-db/migrations/0002_theirs.sql comes before 0003_ours, which is already applied',
      },
      {
        files: { '0002_theirs': `SELECT 1;\n-- schema: ${B} -> ${B}\n` },
        error: 'home-db/migrations/0002_theirs.sql has no line `-- schema: <state> -> <state>`',
      },
    ],
  },
  {
    name: 'changes nothing in the database of another branch',
    steps: [
      { files: { '0002_b': file('SELECT 1;') }, out: applied('0001_initial', '0002_b') },
      {
        files: { '0002_b': null, '0002_c': file('CREATE TABLE other ();') },
        error:
          'The database has the migration 0002_b, which this project does not have. ' +
          'It belongs to another service or branch, or its file was deleted',
        rows: [RECORDED, '0001_initial', '0002_b'],
      },
    ],
  },
  {
    name: 'works with a newer database, if that allows it',
    steps: [
      {
        files: { '0002_b.expand': `-- schema: ${A} -> ${B}~1\nSELECT 1;` },
        out: applied('0001_initial', '0002_b.expand'),
      },
      {
        files: { '0002_b.expand': null },
        out: ['The database has the migration 0002_b.expand of a newer version. This one can work with it'],
      },
      {
        files: {
          '0002_b.expand': `-- schema: ${A} -> ${B}~1\nSELECT 1;`,
          '0003_b.contract': `-- schema: ${B}~1 -> ${B}!\nSELECT 1;`,
        },
        args: ['--all'],
        out: applied('0003_b.contract'),
      },
      {
        files: { '0002_b.expand': null, '0003_b.contract': null },
        error:
          'The database has the migration 0003_b.contract of a newer version, and this version cannot work with it',
      },
    ],
  },
  {
    name: 'lets a contract file wait for the next deployment, and for the end of the code that needs what it removes',
    steps: [
      DEPLOYED,
      {
        files: {
          '0002_b.expand': `-- schema: ${A} -> ${B}~1\nCREATE TABLE added (n int);`,
          '0003_b.contract': `-- schema: ${B}~1 -> ${B}!\nALTER TABLE home DROP name;`,
        },
        out: [
          ...applied('0002_b.expand'),
          'home-db/migrations/0003_b.contract.sql waits for the next deployment',
        ],
      },
      { running: A, out: ['home-db/migrations/0003_b.contract.sql waits for the next deployment'] },
      {
        running: A,
        files: { '0004_c.expand': `-- schema: ${B}! -> ${C}\nCREATE TABLE more (n int);` },
        error:
          'home-db/migrations/0003_b.contract.sql removes what the running code still needs. First deploy the version ' +
          'of the project that added this file, or stop the service',
      },
      { running: B, out: applied('0003_b.contract', '0004_c.expand') },
    ],
  },
]
