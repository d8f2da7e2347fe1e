import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { run, temporaryDirectory } from '../../cli/harness.ts'
import { treeOf } from '../../output/project.ts'

const DEFINITION = 'BookShop: project {} Book: service { title: string(200); rate: float(min: 0.0); }'

let cwd = ''
const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }

const define = (text: string) => writeFileSync(join(cwd, 'shop.portico'), text)
const generate = (...options: string[]) => run(['generate', 'shop.portico', ...options], { cwd, env })
const migration = (...words: string[]) => run(['migration', ...words, '-o', 'book-shop'], { cwd, env })
const folder = () => join(cwd, 'book-shop/book-db/migrations')
const names = () => readdirSync(folder())
const read = (name: string) => readFileSync(join(folder(), name), 'utf8')

describe('`portico migration rebase`', () => {
  const withIsbn = DEFINITION.replace('title:', 'isbn: string(20, 1); title:')
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...words], { cwd, env })

  /** Merges a branch that adds `isbn` into one that adds `shelf`, whose commit is HEAD. */
  beforeEach(async () => {
    cwd = temporaryDirectory()
    define(DEFINITION)
    await generate()
    const base = treeOf(join(cwd, 'book-shop'))
    define(withIsbn)
    await generate('--backfill', 'Book.isbn=x')
    const theirs = treeOf(folder())
    rmSync(join(cwd, 'book-shop'), { recursive: true })
    for (const [path, text] of Object.entries(base)) {
      mkdirSync(dirname(join(cwd, 'book-shop', path)), { recursive: true })
      writeFileSync(join(cwd, 'book-shop', path), text)
    }
    define(DEFINITION.replace('title:', 'shelf: int; title:'))
    await generate('--backfill', 'Book.shelf=1')
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'Add shelf')
    const ours = read('schema.json')
    for (const [name, text] of Object.entries(theirs)) writeFileSync(join(folder(), name), text)
    writeFileSync(
      join(folder(), 'schema.json'),
      `<<<<<<< ours\n${ours}=======\n${theirs['schema.json']}>>>>>>> theirs\n`,
    )
    define(withIsbn.replace('title:', 'shelf: int; title:'))
  })

  it.each([
    [
      'keeps the numbers of the branch that comes first in the alphabet',
      [],
      'book-db/migrations/0002_add_shelf_to_book.expand.sql -> 0005_add_shelf_to_book.expand.sql\n',
      [
        '0002_add_isbn_to_book.expand.sql',
        '0003_add_isbn_to_book.expand.sql',
        '0004_add_isbn_to_book.contract.sql',
        '0005_add_shelf_to_book.expand.sql',
        '0006_add_shelf_to_book.contract.sql',
      ],
    ],
    [
      'keeps the numbers of a Git revision',
      ['--onto', 'HEAD'],
      'book-db/migrations/0002_add_isbn_to_book.expand.sql -> 0004_add_isbn_to_book.expand.sql\n',
      [
        '0002_add_shelf_to_book.expand.sql',
        '0003_add_shelf_to_book.contract.sql',
        '0004_add_isbn_to_book.expand.sql',
        '0005_add_isbn_to_book.expand.sql',
        '0006_add_isbn_to_book.contract.sql',
      ],
    ],
  ])('%s', async (_, options, line, files) => {
    expect((await generate()).stderr).toContain('Run `portico migration rebase <file> --onto <branch>`')
    const { status, stdout } = await migration('rebase', 'shop.portico', ...options)
    expect(status).toBe(0)
    expect(stdout).toContain(line)
    expect(names()).toEqual(['0001_initial.sql', ...files, 'schema.json'])
    expect(await migration('check', '-q')).toEqual({ status: 0, stdout: '', stderr: '' })
    expect((await generate()).status).toBe(0)
    expect((await migration('rebase', 'shop.portico', '-q')).stdout).toBe('')
  })

  it('leaves files of the same name in both branches to the user', async () => {
    const file = join(folder(), '0002_add_shelf_to_book.expand.sql')
    writeFileSync(file, `<<<<<<< ours\n${read('0002_add_shelf_to_book.expand.sql')}=======\n>>>>>>> theirs\n`)
    const { status, stderr } = await migration('rebase', 'shop.portico', '--onto', 'HEAD')
    expect({ status, stderr }).toEqual({
      status: 3,
      stderr:
        'error: `book-db/migrations/0002_add_shelf_to_book.expand.sql` contains a merge conflict. Restore ' +
        'book-db/migrations from the branch that is deployed, without the files of the other one, then run ' +
        '`portico generate`\n',
    })
  })

  it('needs a revision that exists', async () => {
    const { status, stderr } = await migration('rebase', 'shop.portico', '--onto', 'nope')
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'error: Unknown Git revision `nope`\nhelp: use a branch, a tag or a commit\n',
    })
  })
})
