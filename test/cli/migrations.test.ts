import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { applyMigrations } from '#lib/migrate.ts'
import { schemaHash } from '../../src/emit/database/hash.ts'
import { formatSchema, type RecordedSchema } from '../../src/emit/migrations/recorded-schema.ts'
import { freshDatabase, setHostileSettings } from '../postgres.ts'
import { freePort } from '../free-port.ts'
import { treeOf } from '../output/project.ts'
import { run, temporaryDirectory } from './harness.ts'

const DEFINITION = `BookShop: project {}

Book: service {
  title: string(200);
  rate: float(min: 0.0);

  Chapter: struct { heading: string(80); }
}
`

let cwd = ''

beforeEach(async () => {
  cwd = temporaryDirectory()
  define(DEFINITION)
  await generate()
})

function define(text: string): void {
  writeFileSync(join(cwd, 'shop.portico'), text)
}

function generate(...options: string[]) {
  return run(['generate', 'shop.portico', ...options], { cwd })
}

const folder = () => join(cwd, 'book-shop/book-db/migrations')
const names = () => readdirSync(folder())
const read = (name: string) => readFileSync(join(folder(), name), 'utf8')

/** Expects that a generation stops with this error and changes nothing. */
async function expectRefusal(status: number, ...lines: string[]): Promise<void> {
  const before = treeOf(cwd)
  const result = await generate()
  expect({ status: result.status, stderr: result.stderr }).toEqual({
    status,
    stderr: `${lines.join('\n')}\n`,
  })
  expect(treeOf(cwd)).toEqual(before)
}

describe('a new attribute', () => {
  beforeEach(() => define(DEFINITION.replace('title:', 'isbn: string(20, 1);\n  title:')))

  it('needs a value for existing rows', async () => {
    await expectRefusal(
      2,
      'error: `Book.isbn` is new, and existing rows have no value for it',
      'help: pass one with `--backfill Book.isbn=<value>`: a string of 1 to 20 characters',
    )
  })

  it('is named along with the others that need one', async () => {
    define(DEFINITION.replace('title:', 'isbn: string(20, 1);\n  pages: int;\n  title:'))
    await expectRefusal(
      2,
      'error: `Book.isbn` and `Book.pages` are new, and existing rows have no values for them',
      'help: pass them with',
      '  `--backfill Book.isbn=<value>`: a string of 1 to 20 characters',
      '  `--backfill Book.pages=<value>`: an integer from -2147483648 to 2147483647',
    )
  })

  it.each([
    ['Book.isbn=', 'Invalid value `Book.isbn=` for `--backfill`\nhelp: use a string of 1 to 20 characters'],
    ['Bok.isbn=x', 'Unknown service `Bok`\nhelp: did you mean `Book`?'],
    ['Book.isnb=x', 'Unknown attribute `Book.isnb`\nhelp: did you mean `Book.isbn`?'],
    ['Book.isbn', 'Invalid value `Book.isbn` for `--backfill`'],
    ['Book.title=x', '`Book.title` does not need a value for existing rows'],
    ['Chapter.heading=x', 'Unknown service `Chapter`\nhelp: did you mean `Book.Chapter.heading`?'],
  ])('does not take %s', async (backfill, message) => {
    const { status, stderr } = await generate('--backfill', backfill)
    expect(status).toBe(2)
    expect(stderr).toContain(`error: ${message}\n`)
    expect(names()).toEqual(['0001_initial.sql', 'schema.json'])
  })

  it('does not take one value for all rows if it is unique', async () => {
    define(DEFINITION.replace('title:', 'isbn: string(20, 1) @unique;\n  title:'))
    expect((await generate('--backfill', 'Book.isbn=x')).stderr).toBe(
      'error: `Book.isbn` needs an expression for existing rows\n' +
        'help: leave out `--backfill`, and write the expression in the migration. Or make it optional, give each row a value, then make it required\n',
    )
    expect(names()).toEqual(['0001_initial.sql', 'schema.json'])
  })

  it('does not take any of several wrong values, and names each', async () => {
    const { status, stderr } = await generate(
      ...['Book.isbn=', 'Bok.isbn=x', 'Book.isbn', 'Book.title=x'].flatMap((value) => ['--backfill', value]),
    )
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `error: 4 values of \`--backfill\` cannot be used:
  Invalid value \`Book.isbn\` for \`--backfill\`: write it as \`Home.city=Unknown\`
  Invalid value \`Book.isbn=\` for \`--backfill\`: use a string of 1 to 20 characters
  Unknown service \`Bok\`: did you mean \`Book\`?
  \`Book.title\` does not need a value for existing rows
`,
    })
  })

  it('is added in the current directory as well, whose migrations are named by their paths', async () => {
    const { stderr } = await run(
      ['generate', '../shop.portico', '--output', '.', '--backfill', 'Book.isbn=none'],
      { cwd: join(cwd, 'book-shop') },
    )
    expect(stderr).toContain(
      'Next: review the new migrations, starting with book-db/migrations/0002_add_isbn_to_book.expand.sql\n',
    )
  })

  it('is added before the new code, and required after the previous code', async () => {
    const first = read('0001_initial.sql')
    const { status, stderr } = await generate('--backfill', "Book.isbn=it's")
    expect(status).toBe(0)
    expect(stderr).toContain(
      'Next: review the new migrations, starting with book-shop/book-db/migrations/0002_add_isbn_to_book.expand.sql\n',
    )
    expect(names()).toEqual([
      '0001_initial.sql',
      '0002_add_isbn_to_book.expand.sql',
      '0003_add_isbn_to_book.expand.sql',
      '0004_add_isbn_to_book.contract.sql',
      'schema.json',
    ])
    expect(read('0001_initial.sql')).toBe(first)
    expect(read('0002_add_isbn_to_book.expand.sql')).toContain(
      `ALTER TABLE "book" ADD COLUMN "isbn" text NOT NULL DEFAULT 'it''s';`,
    )
    const written = treeOf(cwd)
    expect((await generate()).stderr).toMatch(/^book-shop is up to date$/m)
    expect(treeOf(cwd)).toEqual(written)
  })

  it('whose value differs in each row is written into the migration', async () => {
    define(DEFINITION.replace('title:', 'isbn: string(20, 1) @unique;\n  title:'))
    const { stderr } = await generate()
    expect(stderr).toContain(
      'Next: write the values of Book.isbn in book-shop/book-db/migrations/0002_add_isbn_to_book.sql. Or undo the change, and make it optional, give each row a value, then make it required\n',
    )
  })
})

it('a type that has changed has a conversion, which is to be checked, and a lock', async () => {
  define(DEFINITION.replace('rate: float(min: 0.0)', 'rate: int'))
  const { stderr } = await generate('--allow-data-loss', 'Book.rate')
  const file = 'book-shop/book-db/migrations/0002_change_rate_of_book.expand.sql'
  expect(stderr).toContain('Book.rate (values of type double precision that integer cannot hold)\n')
  expect(stderr).toContain(`Next: check the conversion of Book.rate in ${file}\n`)
  expect(stderr.match(/.*\bLocks .*/g)).toEqual([
    `${file}: Locks book against reads and writes while every row is rewritten: about 3 s for 1,000,000 rows.`,
  ])
})

it('a type that holds all values loses nothing', async () => {
  define(DEFINITION.replace('rate: float(min: 0.0)', 'rate: string(20)'))
  const { status, stderr } = await generate()
  expect(status).toBe(0)
  expect(stderr).toContain('Next: check the conversion of Book.rate in ')
  expect(read('0003_change_rate_of_book.contract.sql')).toContain(
    '-- Drops book__rate__before of book.\n-- Holds locks that block reads and writes only for a moment.\n-- Loses nothing.\n',
  )
})

describe('what is removed', () => {
  it('is named, and has to be agreed to', async () => {
    define(DEFINITION.replace('  rate: float(min: 0.0);\n', '').replace(/ {2}Chapter.*\n/, ''))
    await expectRefusal(
      2,
      'error: The migrations delete the data of:',
      '  Book.rate',
      '  Book.Chapter',
      'help: pass `--allow-data-loss Book.rate,Book.Chapter` to continue, or undo the change in the definition',
    )
    // Without names, it only lists them, and with some of them, the others.
    const listed = await generate('--allow-data-loss')
    expect(listed).toMatchObject({ status: 2, stderr: expect.stringContaining('\n  Book.rate\n') })
    const { status, stderr } = await generate('--allow-data-loss', 'Book.rate')
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `error: The migrations delete the data of:
  Book.Chapter
help: pass \`--allow-data-loss Book.rate,Book.Chapter\` to continue, or undo the change in the definition
`,
    })
    expect((await generate('--allow-data-loss', 'Book.rate, Book.Chapters')).stderr).toBe(
      'error: `Book.Chapters` does not need `--allow-data-loss`\nhelp: use `--allow-data-loss Book.rate,Book.Chapter`\n',
    )
    expect(names()).toEqual(['0001_initial.sql', 'schema.json'])
    expect((await generate('--allow-data-loss', 'Book.rate,Book.Chapter')).status).toBe(0)
    expect(names()).toContain('0003_change_book.contract.sql')
  })

  it('is kept if a struct was only renamed, which the help says', async () => {
    define(DEFINITION.replace('Chapter:', 'Part:'))
    await expectRefusal(
      2,
      'error: The migrations delete the data of:',
      '  Book.Chapter',
      'help: write `#was(Chapter)` in `Book.Part` if it was renamed, pass `--allow-data-loss Book.Chapter` to continue, or undo the change in the definition',
    )
  })

  it('is named by a preview, and when it was agreed to', async () => {
    define(DEFINITION.replace('  rate: float(min: 0.0);\n', ''))
    const losses = 'The migrations delete the data of:\n  Book.rate\n'
    const help =
      'help: pass `--allow-data-loss Book.rate` to continue, or undo the change in the definition\n'
    for (const preview of ['--dry-run', '--diff']) {
      const { status, stderr } = await generate(preview)
      expect(status).toBe(0)
      expect(stderr).toContain(losses + help)
      expect((await generate(preview, '--allow-data-loss', 'Book.rate')).stderr).toContain(losses)
    }
    const { stderr } = await generate('--allow-data-loss', 'Book.rate')
    expect(stderr).toContain(losses)
    expect(stderr).not.toContain(help)
  })

  it('does not have to be made optional if it is', async () => {
    define(DEFINITION.replace('rate: float(min: 0.0)', 'rate: float(min: 0.0)?'))
    await generate()
    define(DEFINITION.replace('  rate: float(min: 0.0);\n', ''))
    await generate('--allow-data-loss', 'Book.rate')
    expect(read('0003_remove_rate_from_book.expand.sql')).toMatch(/^-- Changes nothing: /)
    expect(read('0004_remove_rate_from_book.contract.sql')).toContain('DROP COLUMN "rate"')
  })

  it('is never the authentication service under another name', async () => {
    const help = 'help: pass `--allow-data-loss Auth` to continue, or undo the change in the definition\n'
    define('BookShop: project { #authMethod(email); }\n\nReader: service { #auth; }\n')
    expect((await generate()).stderr).toContain('help: write `#was(Book)` in `Reader` if it was renamed')
    await generate('--allow-data-loss', 'Book')
    define('BookShop: project {}\n\nReader: service {}\n\nShelf: service {}\n')
    expect((await generate()).stderr).toContain(`  auth-db of Auth\n${help}`)
  })

  it('keeps the migrations of a service, which go on when it comes back', async () => {
    define('BookShop: project {}\n\nShelf: service { name: string; }\n')
    const before = treeOf(folder())
    const refused = await generate()
    expect(refused.stderr).toBe(
      'error: The project no longer uses these databases. They stay until `./deploy.sh destroy`:\n  book-db of Book\n' +
        'help: write `#was(Book)` in `Shelf` if it was renamed, pass `--allow-data-loss Book` to continue, or undo the change in the definition\n',
    )
    expect((await generate('--allow-data-loss', 'Book')).status).toBe(0)
    expect((await generate()).stderr).toMatch(/^book-shop is up to date$/m)
    expect(names()).toEqual(['0001_initial.sql', 'schema.json'])
    define(DEFINITION)
    expect((await generate('--allow-data-loss', 'Shelf')).status).toBe(0)
    expect(treeOf(folder())).toEqual(before)
  })
})

it('a renamed project is deployed anew, which has to be agreed to', async () => {
  define(DEFINITION.replace('BookShop', 'Library'))
  const problem =
    'The project was renamed from `BookShop`. Its next deployment starts with empty databases, beside that of ' +
    '`BookShop`, which keeps its data'
  expect(await generate('-o', 'book-shop')).toEqual({
    status: 2,
    stdout: '',
    stderr: `error: ${problem}\nhelp: pass \`--allow-data-loss BookShop\` to continue, or undo the change in the definition\n`,
  })
  const { status, stderr } = await generate('-o', 'book-shop', '--allow-data-loss', 'BookShop')
  expect(status).toBe(0)
  expect(stderr).toContain(`${problem}\n`)
  expect((await generate('-o', 'book-shop')).status).toBe(0)
})

describe('a renamed attribute', () => {
  const renamed = DEFINITION.replace('rate: float(min: 0.0)', 'price: float(min: 0.0)')

  it('has to be said', async () => {
    define(renamed)
    await expectRefusal(
      2,
      'error: `Book.rate` was removed, and `Book.price` of the same type was added',
      'help: if it was renamed, write `@was(rate)` after the type of `price`; otherwise pass `--not-renamed Book.rate --allow-data-loss Book.rate`',
    )
  })

  it('has to be denied by name, if it is none', async () => {
    define(renamed)
    const { status, stderr } = await generate('--allow-data-loss', 'Book.rate')
    expect(status).toBe(2)
    expect(stderr).toContain('error: `Book.rate` was removed, and `Book.price`')
    expect((await generate('--not-renamed', 'Book.rates')).stderr).toBe(
      'error: `Book.rates` does not need `--not-renamed`\nhelp: use `--not-renamed Book.rate`\n',
    )
    const denied = ['--not-renamed', 'Book.rate', '--backfill', 'Book.price=1']
    expect((await generate(...denied)).stderr).toContain('help: pass `--allow-data-loss Book.rate` to')
    expect((await generate(...denied, '--allow-data-loss', 'Book.rate')).status).toBe(0)
    expect(names().join()).not.toContain('rename')
  })

  it('is asked for by a preview', async () => {
    define(renamed)
    expect((await generate('--dry-run')).stderr).toContain(
      '`Book.rate` was removed, and `Book.price` of the same type was added\nhelp: if it was renamed, write `@was(rate)`',
    )
  })

  it('keeps its values, and the annotation may go afterwards', async () => {
    define(renamed.replace('(min: 0.0)', '(min: 0.0) @was(rate)'))
    expect((await generate()).status).toBe(0)
    expect(names()).toContain('0006_rename_rate_to_price.contract.sql')
    expect((await generate()).stderr).toContain(
      'You can remove `@was` of Book.price: the migrations contain the new name\n',
    )
    define(renamed)
    const { status, stderr } = await generate()
    expect(status).toBe(0)
    expect(stderr).not.toContain('You can remove')
  })
})

describe('waiting jobs', () => {
  const JOB = 'Remind: job { text: string(9); note: string?; level: int = 1; }'
  const withJobs = (...jobs: string[]) =>
    define(DEFINITION.replace(/}\n}\n$/, `}\n  ${jobs.join('\n  ')}\n}\n`))
  beforeEach(async () => {
    withJobs(JOB)
    await generate()
  })

  it.each([
    ['Remind: job { text: string(8); }', 'they may have another `text`'],
    ['Remind: job { text: string(9); day: date; }', 'they may have no `day`'],
    ['Remind: job { text: string(9); note: string; }', 'they may have no `note`'],
    ['', 'nothing would run them'],
    ['Notify: job { text: string(8); }', 'nothing would run them'],
    ['Notify: job { #schedule("0 3 * * *"); }', 'nothing would run them'],
  ])('stop a definition with %s', async (job, reason) => {
    withJobs(job)
    await expectRefusal(
      2,
      'error: The new code could not run the waiting jobs of:',
      `  Book.Remind (${reason})`,
      'help: pass `--allow-data-loss Book.Remind` to continue, or undo the change in the definition',
    )
    expect((await generate('--allow-data-loss', 'Book.Remind')).status).toBe(0)
    expect((await generate()).stderr).toMatch(/^book-shop is up to date$/m)
  })

  it.each([
    'Remind: job { text: string(10); day: date?; }',
    'Remind: job { level: int = 2; kind: enum(a, b) = a; }',
    'Notify: job { #was(Remind); text: string(9); }',
  ])('do not stop a definition with %s', async (job) => {
    withJobs(job)
    expect(await generate()).toMatchObject({ status: 0, stderr: expect.not.stringContaining('waiting') })
  })

  it('may be those of a new job that could run them, which the help says', async () => {
    withJobs(
      'Recount: job { pages: int; }',
      'Notify: job { text: string(10); }',
      'Tell: job { text: string(9); }',
    )
    await expectRefusal(
      2,
      'error: The new code could not run the waiting jobs of:',
      '  Book.Remind (nothing would run them)',
      'help: write `#was(Remind)` in `Book.Notify` if it was renamed, pass `--allow-data-loss Book.Remind` to continue, or undo the change in the definition',
    )
    withJobs(JOB, 'Ping: job {}')
    await generate()
    // A new job is one of them at most, and not one that has another former name.
    withJobs('Notify: job { text: string(9); }', 'Tell: job { #was(Call); text: string(9); }')
    await expectRefusal(
      2,
      'error: The new code could not run the waiting jobs of:',
      '  Book.Remind (nothing would run them)',
      '  Book.Ping (nothing would run them)',
      'help: write `#was(Remind)` in `Book.Notify` if it was renamed, pass `--allow-data-loss Book.Remind,Book.Ping` to continue, or undo the change in the definition',
    )
  })
})

it('a renamed struct does not need its `#was` afterwards', async () => {
  define(DEFINITION.replace('Chapter: struct {', 'Part: struct { #was(Chapter);'))
  await generate()
  expect((await generate()).stderr).toContain(
    'You can remove `#was` of Book.Part: the migrations contain the new name\n',
  )
})

describe('a renamed service', () => {
  const project = () => join(cwd, 'book-shop')
  const as = (name: string, was: string) =>
    define(DEFINITION.replace('Book: service {', `${name}: service {\n  ${was}`))

  beforeEach(() => {
    writeFileSync(join(project(), 'book/src/setup.ts'), '// mine\n')
    writeFileSync(join(project(), 'book/notes.txt'), 'mine\n')
  })

  it('is previewed', async () => {
    as('Novel', '#was(Book);')
    const before = treeOf(project())
    for (const option of ['--dry-run', '--diff', '--check']) {
      const { stdout } = await generate(option)
      expect(stdout).toMatch(/^> book\/ -> novel\/$/m)
      expect(stdout).not.toMatch(/^(?:[+~!-] |\+\+\+ b\/)novel\/src\/setup\.ts$/m)
    }
    expect(treeOf(project())).toEqual(before)
  })

  it('keeps the files of the user and the database, however often it is renamed, and its `was` stays', async () => {
    for (const [number, name, was] of [
      [2, 'Novel', '#was(Book);'],
      [3, 'Story', '#was(Book);'],
      [4, 'Book', ''],
    ] as const) {
      as(name, was)
      const { status, stderr } = await generate()
      expect(status, stderr).toBe(0)
      expect(stderr).toMatch(new RegExp(`^> \\w+/ -> ${name.toLowerCase()}/$`, 'm'))
      expect(stderr).not.toContain('may go')
      const directory = name.toLowerCase()
      expect(readFileSync(join(project(), directory, 'src/setup.ts'), 'utf8')).toBe('// mine\n')
      expect(readFileSync(join(project(), directory, 'notes.txt'), 'utf8')).toBe('mine\n')
      expect(readdirSync(project())).toEqual(expect.arrayContaining(['book-db', directory]))
      expect(readdirSync(project()).filter((entry) => /^(?:book|novel|story)$/.test(entry))).toEqual([
        directory,
      ])
      const migration = names().find((each) => each.startsWith(`000${number}`)) ?? ''
      expect(read(migration)).toMatch(new RegExp(`ALTER TABLE "\\w+" RENAME TO "${directory}";`))
      expect(names()).toHaveLength(number + 1)
      expect((await generate()).stderr).toMatch(/^book-shop is up to date$/m)
    }
  })

  it('cannot lose its `was`', async () => {
    as('Novel', '#was(Book);')
    await generate()
    as('Novel', '')
    await expectRefusal(
      1,
      'error: `Novel` was renamed, and its migrations are in book-db/migrations. Restore its `#was`, which names the database',
    )
  })

  it('is found by its new name in `portico migration`', async () => {
    as('Novel', '#was(Book);')
    await generate()
    const { stdout } = await run(['migration', 'new', 'novel', 'add_index', '-o', 'book-shop'], { cwd })
    expect(stdout).toBe('book-shop/book-db/migrations/0003_add_index.sql\n')
    const unknown = await run(['migration', 'status', 'review', '-o', 'book-shop'], { cwd })
    expect(unknown.stderr).toContain('Unknown service `review`\nhelp: the project has `novel`\n')
  })
})

it('a migration says that an attribute whose type changes no longer has to be unique', async () => {
  define(DEFINITION.replace('title:', 'code: string(9) @unique;\n  title:'))
  rmSync(join(cwd, 'book-shop'), { recursive: true })
  await generate()
  define(DEFINITION.replace('title:', 'code: int;\n  title:'))
  await generate('--allow-data-loss', 'Book.code')
  expect(read('0002_change_code_of_book.expand.sql')).toContain(
    '-- No longer requires unique values of code of book.\n',
  )
})

describe('a directory that is not in order', () => {
  const path = 'book-db/migrations'

  it.each([
    [
      'a file with another name',
      () => writeFileSync(join(folder(), 'notes.sql'), ''),
      `\`${path}/notes.sql\` is not a migration. Migrations have names such as \`0002_add_city.sql\``,
    ],
    [
      'a gap',
      () => renameSync(join(folder(), '0001_initial.sql'), join(folder(), '0002_initial.sql')),
      `${path} has no migration 0001. Restore it from version control`,
    ],
    [
      'two files with one number',
      () => writeFileSync(join(folder(), '0001_other.sql'), read('0001_initial.sql')),
      `\`0001_initial.sql\` and \`0001_other.sql\` in ${path} have the same number. Run \`portico migration rebase <file> --onto <branch>\`, which keeps the numbers of that branch and changes the others`,
    ],
    [
      'a file without a header',
      () => writeFileSync(join(folder(), '0002_mine.sql'), 'SELECT 1;'),
      `\`${path}/0002_mine.sql\` has no line \`-- schema: <state> -> <state>\``,
    ],
    [
      'a file from another branch',
      () =>
        writeFileSync(join(folder(), '0002_mine.sql'), `-- schema: ${'a'.repeat(64)} -> ${'b'.repeat(64)}\n`),
      `\`${path}/0002_mine.sql\` does not start from the schema that \`0001_initial.sql\` leads to. If it comes from another branch, run \`portico migration rebase <file> --onto <branch>\``,
    ],
    [
      'no schema.json',
      () => rmSync(join(folder(), 'schema.json')),
      `\`${path}/schema.json\` is missing. Restore it from version control`,
    ],
    [
      'a merge conflict',
      () => writeFileSync(join(folder(), 'schema.json'), `<<<<<<< ours\n${read('schema.json')}`),
      `\`${path}/schema.json\` contains a merge conflict. Run \`portico migration rebase <file>\`, which rewrites it`,
    ],
    [
      'an edited schema.json',
      () => writeFileSync(join(folder(), 'schema.json'), read('schema.json').replace('"rate"', '"price"')),
      `\`${path}/schema.json\` is damaged. Restore it from version control, or run \`portico migration rebase <file>\``,
    ],
    [
      'no migrations',
      () => rmSync(join(folder(), '0001_initial.sql')),
      `${path} has no migration 0001. Restore it from version control`,
    ],
  ])('%s', async (_, change, message) => {
    change()
    await expectRefusal(3, `error: ${message}`)
  })

  it('can contain other files, such as those that a merge leaves', async () => {
    writeFileSync(join(folder(), 'schema.json.orig'), '')
    expect((await generate('--check')).status).toBe(0)
    expect(names()).toContain('schema.json.orig')
  })
})

describe('portico migration', () => {
  const migration = (...words: string[]) => run(['migration', ...words, '-o', 'book-shop'], { cwd })
  const state = () => (JSON.parse(read('schema.json')) as { state: string }).state

  it('new writes a file for the SQL of the user, which generations keep', async () => {
    const { status, stdout } = await migration('new', 'book', 'add_index')
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'book-shop/book-db/migrations/0002_add_index.sql\n',
    })
    writeFileSync(
      join(folder(), '0002_add_index.sql'),
      `${read('0002_add_index.sql')}CREATE INDEX mine ON book (title);\n`,
    )
    const text = read('0002_add_index.sql')
    expect(text).toContain(`-- schema: ${state()} -> ${state()}\n`)
    define(DEFINITION.replace('string(200)', 'string(300)'))
    expect((await generate()).status).toBe(0)
    expect(read('0002_add_index.sql')).toBe(text)
    expect(names()).toContain('0003_change_title_of_book.sql')
    expect((await migration('status')).stdout).toContain(
      'book-db/migrations\n  0001_initial.sql\n  0002_add_index.sql\n  0003_change_title_of_book.sql\n',
    )
  })

  it.each([
    [['new', 'book'], 'Missing argument `<name>`\nhelp: usage: `portico migration new <service> <name>`'],
    [['new', 'book', 'x', 'y'], 'Unexpected argument `y`'],
    [
      ['new', 'book', 'x', '--database', 'z'],
      '`--database` can only be used with `portico migration status`',
    ],
    [['status', 'book', 'y'], 'Unexpected argument `y`'],
    [['check', 'book', 'y'], 'Unexpected argument `y`\nhelp: usage: `portico migration check [service]`'],
    [['check', '--onto', 'main'], '`--onto` can only be used with `portico migration rebase`'],
    [['rebase', 'shop.portico', 'y'], 'Unexpected argument `y`'],
    ...['garbage', 'http://x', 'postgres://localhost:99999/x'].map((url): [string[], string] => [
      ['status', 'book', '--database', url],
      '`--database` takes a URL, for example `postgres://user:password@localhost:5432/home`\n',
    ]),
    [['new', 'book', '../x'], '`../x` is not a valid migration name'],
    [['new', 'shelf', 'x'], 'Unknown service `shelf`'],
    [['rebase'], 'Missing argument `<file>`'],
    [['undo'], 'undo'],
  ])('%j is incorrect use', async (words, message) => {
    const { status, stderr } = await migration(...words)
    expect(status).toBe(2)
    expect(stderr).toContain(message)
  })

  it('needs a project', async () => {
    const { status, stderr } = await run(['migration', 'status'], { cwd })
    expect(status).toBe(3)
    expect(stderr).toContain('error: The current directory has no migrations\n')
    for (const [output, problem] of [
      ['none', 'does not exist'],
      ['shop.portico', 'is not a directory'],
    ] as const)
      expect(await run(['migration', 'status', '-o', output], { cwd })).toEqual({
        status: 3,
        stdout: '',
        stderr: `error: \`${output}\` ${problem}\nhelp: pass the directory of the project with \`--output\`\n`,
      })
  })

  it('status says why it cannot connect, without the password', async () => {
    const port = await freePort()
    expect(
      await migration('status', 'book', '--database', `postgres://me:secret@localhost:${port}/x`),
    ).toEqual({
      status: 3,
      stdout: '',
      stderr: `error: Could not connect to localhost:${port}: connection refused\n`,
    })
  })

  it('status says what is pending, and which files were changed after they were applied', async () => {
    define(DEFINITION.replace('rate:', 'isbn: string?;\n  rate:'))
    await generate()
    const database = await freshDatabase()
    await setHostileSettings(database)
    try {
      const connection = { connectionString: database.url }
      expect((await migration('status', 'book', '--database', database.url)).stdout).toBe(
        'book-db/migrations\n  0001_initial.sql  pending\n  0002_add_isbn_to_book.sql  pending\n',
      )
      await applyMigrations({ connection, directory: folder() })
      await migration('new', 'book', 'add_index')
      const first = join(folder(), '0001_initial.sql')
      const original = read('0001_initial.sql')
      const status = async () =>
        (await migration('status', 'book', '--database', database.url)).stdout.replaceAll(
          /\d{4}-\d\d-\S+Z/g,
          'TIME',
        )
      // Version control may convert line ends.
      writeFileSync(first, original.replaceAll('\n', '\r\n'))
      const lines = ['  0002_add_isbn_to_book.sql  TIME', '  0003_add_index.sql  pending', '']
      expect(await status()).toBe(['book-db/migrations', '  0001_initial.sql  TIME', ...lines].join('\n'))
      writeFileSync(first, `${original}\n-- more\n`)
      expect(await status()).toBe(
        [
          'book-db/migrations',
          '  0001_initial.sql  TIME  changed after it was applied; it does not run again',
          ...lines,
        ].join('\n'),
      )
    } finally {
      await database.drop()
    }
  })

  it('check runs the migrations of each service without rows and with some', {
    timeout: 240_000,
  }, async () => {
    const members = [
      'a: enum(x-1, y); b: enum(only); c: int(40, 18); d: int(min: -9, max: -7); e: float(min: 50.5);',
      'f: decimal(min: 20.5); g: float(max: -3.0); h: int(min: 5)?; i9: decimal(min: -9.5, max: -7.5);',
      'j: float(min: 1e30, max: 1e31); k: float(max: -1e-9); l: string(60, 40); m: string(minLength: 700);',
      'n: string(1); o: int(min: 5, max: 7) = 6;',
    ].join('\n')
    const narrowed = [
      'a: int(90, 1); b: enum(x, y); c: string(30); d: int(9, 1); e: string(5); f: float(min: 0.0); Chapter: struct { pages: int(9); }',
      // No value is within both bounds of `d`.
      'a: int(9, 2); b: enum(y); c: enum(p, q); d: int(90, 20); e: string(5, 3); f: float(min: 1e3); Chapter: struct { pages: int(9); }',
      'a: int(8, 3); b: enum(y); c: enum(q); d: int(90, 20); e: string(4, 4); f: float(min: 1e4); Part: struct { #was(Chapter); size: int(5) @was(pages); }',
    ]
    const titled = ['title: string(20);', 'isbn: string(20, 1); title: string(20);']
    /** The versions of each service. Those with one name have several files of the same name. */
    const services: Readonly<Record<string, readonly string[]>> = {
      Valid: titled,
      Drifting: titled,
      Ended: [''],
      Lost: [''],
      Label: ['title: string(20);'],
      Twice: ['title: string(20);'],
      Bounded: [members, `${members} code: string(9) @unique;`],
      Contradictory: narrowed.slice(0, 2).map((text) => text.replace('Chapter', 'Page')),
      Narrowed: narrowed,
      Repeated: ['', 'a: string(9);', 'a: int; b: int?;', 'a: int; b: int?; c: int?; d: int?;'],
    }
    const backfills = ['Valid.isbn=x', 'Drifting.isbn=x', 'Repeated.a=1'].flatMap((value) => [
      '--backfill',
      value,
    ])
    rmSync(join(cwd, 'book-shop'), { recursive: true })
    for (const version of [0, 1, 2, 3]) {
      const blocks = Object.entries(services).map(
        ([name, versions]) => `${name}: service { ${versions[version] ?? versions.at(-1)} }\n`,
      )
      define(`BookShop: project {}\n${blocks.join('')}`)
      const answers = version === 1 ? backfills : []
      const refused = await generate(...answers)
      const [, lost] = /--allow-data-loss (\S+)`/.exec(refused.stderr) ?? []
      const { status, stderr } =
        lost === undefined ? refused : await generate(...answers, '--allow-data-loss', lost)
      expect(status, stderr).toBe(0)
    }
    const fileOf = (service: string, name: string) => join(cwd, `book-shop/${service}-db/migrations`, name)

    appendFileSync(
      fileOf('drifting', '0003_add_isbn_to_drifting.expand.sql'),
      'ALTER TABLE drifting ALTER COLUMN title DROP NOT NULL;\n',
    )
    for (const [service, sql] of [
      ['ended', 'SELECT pg_terminate_backend(pg_backend_pid());'],
      ['lost', 'DROP TABLE _migration;'],
      [
        'label',
        'CREATE TABLE note (text text CHECK (char_length(text) >= 900000000)); ALTER TABLE label ALTER title DROP NOT NULL;',
      ],
    ] as const) {
      await migration('new', service, 'own')
      appendFileSync(fileOf(service, '0002_own.sql'), `${sql}\n`)
      await migration('new', service, 'next')
    }
    const recorded = fileOf('twice', 'schema.json')
    const schema = JSON.parse(readFileSync(recorded, 'utf8')) as RecordedSchema
    const tables = schema.tables.map((table) => ({ ...table, columns: [...table.columns, ...table.columns] }))
    const hash = schemaHash(tables)
    writeFileSync(recorded, formatSchema({ ...schema, tables, state: hash }))
    const first = fileOf('twice', '0001_initial.sql')
    writeFileSync(first, readFileSync(first, 'utf8').replace(schema.state, hash))

    const { status, stdout } = await migration('check', '-q')
    expect(status).toBe(1)
    const linesOf = (service: string) =>
      stdout.split('\n').flatMap((line) => line.split(`${service}-db/migrations`).slice(1))
    const isNull = 'column title of drifting is text instead of text NOT NULL'
    expect(linesOf('valid')).toEqual([])
    expect(linesOf('drifting')).toEqual([
      ` on an empty database: ${isNull}`,
      ` on a database with rows: ${isNull}`,
    ])
    expect(linesOf('ended')).toContain(
      ' on an empty database: 0002_own.sql: terminating connection due to administrator command',
    )
    expect(linesOf('lost')).toContainEqual(
      expect.stringContaining('0002_own.sql: relation "public._migration" does not exist'),
    )
    expect(linesOf('label')).toContainEqual(
      expect.stringContaining('column title of label is text instead of'),
    )
    expect(linesOf('twice')).toEqual(['/schema.json: column "id" specified more than once'])
    // Rows have enums, numbers and strings within their bounds.
    expect(linesOf('bounded')).toEqual([
      expect.stringContaining(
        ' on a database with rows: 0002_add_code_to_bounded.sql: Rows of bounded have no value for code',
      ),
    ])
    expect(linesOf('contradictory')).toEqual([
      expect.stringContaining('Rows of contradictory have values of d that are no longer allowed (1)'),
    ])
    // Before the last change, rows have values that narrower bounds allow, under new names too.
    expect(linesOf('narrowed')).toEqual([])
    // The last change has the name of earlier ones.
    expect(linesOf('repeated')).toEqual([])
  })
})
