import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { treeOf } from '../output/project.ts'
import { run, runOnTerminal, runProcess, temporaryDirectory, type Typing } from './harness.ts'

const DEFINITION = `/// A shop.
BookShop: project { #authMethod(email); }

Customer: service { name: string(80); #auth; }
Book: service { title: string(200); pages: int(max: 5000, min: 1); #readable(by: all); #enumerable; }
`
const WITHOUT_BOOK = DEFINITION.replace(/^Book: .*$/m, '')
const WITH_PRICE = DEFINITION.replace('title: string(200);', 'title: string(200); price: float(min: 0.0);')

let cwd = ''

beforeEach(() => {
  cwd = temporaryDirectory()
  writeFileSync(join(cwd, 'shop.portico'), DEFINITION)
})

function define(text: string): void {
  writeFileSync(join(cwd, 'shop.portico'), text)
}

function generate(...options: string[]) {
  return run(['generate', 'shop.portico', ...options], { cwd })
}

describe('portico generate', () => {
  it('writes to the project that it runs in, not to a second one inside it', async () => {
    await generate()
    const output = join(cwd, 'book-shop')
    renameSync(output, join(cwd, 'renamed'))
    const place = join(cwd, 'renamed/book/src')
    const from = (definition: string) => run(['generate', `../../../${definition}`], { cwd: place })
    expect((await from('shop.portico')).stderr).toMatch(/^\.\.\/\.\. is up to date\n/)
    // Another project can be in it.
    writeFileSync(join(cwd, 'other.portico'), DEFINITION.replace('BookShop', 'Other'))
    await from('other.portico')
    expect(readdirSync(place)).toContain('other')
  })

  it('says how the data moves if another server has the databases', async () => {
    const moves = async (metadata: string) => {
      define(DEFINITION.replace('#authMethod', `${metadata} #authMethod`))
      const { stdout, stderr } = await generate()
      return /^Next: if the platform is deployed, .*(?:\n {2}.*)+/m.exec(stdout + stderr)?.[0] ?? ''
    }
    expect(await moves('')).toBe('')
    const shared = '#database(postgres, server: shared);'
    const lines = (await moves(shared)).split('\n')
    expect(lines[0]).toBe(
      'Next: if the platform is deployed, move its data to one Postgres for all services. `deploy.sh` refuses to start until then. Services are down meanwhile, and the former volumes stay. In book-shop:',
    )
    expect(lines.slice(1)).toEqual([
      '  docker compose stop gateway auth customer book',
      ...['auth', 'customer', 'book'].map((name) => expect.stringContaining(` > ${name}.dump`)),
      '  ./deploy.sh migrate',
      ...['auth', 'customer', 'book'].map((name) => expect.stringContaining(` < ${name}.dump`)),
      '  docker rm --force book-shop-auth-db-1 book-shop-customer-db-1 book-shop-book-db-1',
      '  source deploy.sh',
    ])
    expect(await moves(shared)).toBe('')
    expect(await moves('')).toContain('to a Postgres for each service')
    // A deployment by another provider is another one.
    expect(await moves(`#provider(kube); ${shared}`)).toBe('')
  })

  it('finds a project up to date whose files and definition version control has given CRLF', async () => {
    define(DEFINITION.replace('#authMethod(email);', '#authMethod(email); #provider(kube);'))
    await generate()
    const output = join(cwd, 'book-shop')
    const sql = 'book-db/migrations/0001_initial.sql'
    appendFileSync(join(output, sql), '-- My own line.\n')
    await generate()
    for (const [file, text] of Object.entries(treeOf(cwd)))
      writeFileSync(join(cwd, file), text.replaceAll('\n', '\r\n'))
    expect(await generate('--check')).toMatchObject({ status: 0 })
  })

  it('writes the project where its name says, and what to do next', async () => {
    const { status, stdout, stderr } = await runProcess(['generate', 'shop.portico'], { cwd })
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
    expect(stderr).toMatch(/^Wrote \d+ files to book-shop$/m)
    expect(stderr).toContain('Next: run `portico dev shop.portico` to start the platform')
    expect(readdirSync(join(cwd, 'book-shop'))).toEqual(
      expect.arrayContaining(['.portico', 'README.md', 'auth', 'auth-db', 'book-db', 'customer-db']),
    )
  })

  it('writes it where --output says', async () => {
    expect((await generate('-o', 'deep/down')).stderr).toMatch(/^Wrote \d+ files to deep\/down$/m)
    const absolute = join(cwd, 'elsewhere')
    expect((await generate('--output', absolute)).status).toBe(0)
    expect(treeOf(absolute)).toEqual(treeOf(join(cwd, 'deep/down')))
    expect(existsSync(join(cwd, 'book-shop'))).toBe(false)
  })

  it('names the current directory', async () => {
    expect((await generate('-o', '.')).stderr).toMatch(/^Wrote \d+ files to the current directory$/m)
    expect((await generate('-o', '.')).stderr).toMatch(/^The current directory is up to date$/m)
  })

  it('says when nothing is to be done', async () => {
    await generate()
    const { status, stderr } = await generate()
    expect(status).toBe(0)
    expect(stderr).toMatch(/^book-shop is up to date\nKept \d+ of your files\n$/)
  })

  it('is quiet with -q', async () => {
    expect(await generate('-q')).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(await generate('-q', '--check')).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  it('keeps its lines few where files are many', async () => {
    const { stderr } = await generate()
    expect(stderr.split('\n').length).toBeLessThan(30)
    expect(stderr).toMatch(/^\+ auth\/ \(\d+ files\)$/m)
    define(DEFINITION.replace('/// A shop.', '/// A fine shop.'))
    const again = await generate()
    expect(again.stderr).toMatch(/^~ README\.md$/m)
  })

  it('reports diagnostics, and generates nothing where there are errors', async () => {
    define('Shop: project {} Item: service { a: nothing; }')
    const { status, stdout, stderr } = await generate()
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain('error[unknown-type]')
    expect(stderr).toContain('shop.portico: 1 error')
    expect(readdirSync(cwd)).toEqual(['shop.portico'])
  })

  it('generates with warnings', async () => {
    define(DEFINITION.replace('#auth;', '#auth; #enumerable;'))
    const { status, stderr } = await generate()
    expect(status).toBe(0)
    expect(stderr).toMatch(/^warning\[/m)
  })

  it('says so where the definition cannot be read', async () => {
    const { status, stderr } = await run(['generate', 'nothing.portico'], { cwd })
    expect(status).toBe(3)
    expect(stderr).toContain('Could not read `nothing.portico`: no such file or directory')
  })

  it('reads standard input', async () => {
    const { status } = await run(['generate', '-'], { cwd, stdin: DEFINITION })
    expect(status).toBe(0)
    expect(existsSync(join(cwd, 'book-shop/README.md'))).toBe(true)
  })
})

describe('a project in Go', () => {
  const inGo = DEFINITION.replace('#authMethod', '#language(go); #authMethod')
  const firstLine = () => readFileSync(join(cwd, 'book-shop/go.mod'), 'utf8').split('\n')[0]

  it('has the module of `--module`, and keeps it', async () => {
    define(inGo)
    expect((await generate('--module', 'github.com/acme/shop')).status).toBe(0)
    expect(firstLine()).toBe('module github.com/acme/shop')
    expect((await generate()).stderr).toContain('is up to date')
    expect(firstLine()).toBe('module github.com/acme/shop')
  })

  it('has a module without `--module`', async () => {
    define(inGo)
    expect((await generate()).status).toBe(0)
    expect(firstLine()).toBe('module example.com/book-shop')
  })

  it('is found from a directory in it', async () => {
    define(inGo)
    await generate()
    const { stderr } = await run(['generate', '../../shop.portico'], { cwd: join(cwd, 'book-shop/book') })
    expect(stderr).toMatch(/^\.\. is up to date\n/)
  })

  it('follows a change of `--module`, also in a `go.mod` with other changes', async () => {
    define(inGo)
    await generate()
    appendFileSync(join(cwd, 'book-shop/go.mod'), '\ntool example.com/tool\n')
    const { status, stderr } = await generate('--module', 'github.com/acme/shop')
    expect(status).toBe(0)
    expect(stderr).toContain(
      'Next: replace `example.com/book-shop/` with `github.com/acme/shop/` in the imports of your Go files\n',
    )
    expect(firstLine()).toBe('module github.com/acme/shop')
    expect(readFileSync(join(cwd, 'book-shop/go.mod'), 'utf8')).toContain('tool example.com/tool')
    expect((await generate()).stderr).toContain('is up to date')
  })

  it('does not replace a `go.mod` with more than the path of a module', async () => {
    define(inGo)
    mkdirSync(join(cwd, 'book-shop'))
    writeFileSync(join(cwd, 'book-shop/go.mod'), 'module x\n\nrequire example.com/a v1.0.0\n')
    const { status, stderr } = await generate()
    expect(status).toBe(3)
    expect(stderr).toContain('go.mod (not written by Portico)')
  })

  it.runIf(process.platform === 'linux')('asks for the module on a terminal, once', async () => {
    define(inGo)
    const question: Typing = ['example.com/book-shop', '\u0015github.com/acme/shop\r']
    const first = await runOnTerminal(['generate', 'shop.portico'], cwd, [question])
    expect(first.screen).toContain('Path of the Go module:')
    expect(first.status, first.screen).toBe(0)
    expect(firstLine()).toBe('module github.com/acme/shop')
    const second = await runOnTerminal(['generate', 'shop.portico'], cwd, [])
    expect(second.screen).toContain('is up to date')
    expect(second.screen).not.toContain('Path of the Go module:')
  })

  it('rejects what is not the path of a module', async () => {
    define(inGo)
    for (const module of ['../shop', 'example.com/', 'example.com/../shop', 'example.com/shop.', 'my shop']) {
      const { status, stderr } = await generate('--module', module)
      expect({ status, stderr }).toEqual({
        status: 2,
        stderr: `error: Invalid value \`${module}\` for \`--module\`\nhelp: for example \`example.com/shop\`\n`,
      })
    }
  })
})

describe('edited files', () => {
  const EDITED = 'book-shop/book/src/schema.ts'

  it('stop it, are named, and are kept', async () => {
    await generate()
    appendFileSync(join(cwd, EDITED), '// mine\n')
    const before = treeOf(cwd)
    const { status, stdout, stderr } = await generate()
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' })
    expect(stderr).toBe(
      [
        'error: Could not write to `book-shop` without overwriting these files:',
        '  book/src/schema.ts (edited by hand)',
        'help: make the files yours with `portico eject <path>...`, undo the edits, or replace the files with `portico generate --overwrite`, which keeps your versions as `*.orig`',
        '',
      ].join('\n'),
    )
    expect(treeOf(cwd)).toEqual(before)
  })

  it('are replaced with --overwrite, and the old text is kept beside', async () => {
    await generate()
    const text = readFileSync(join(cwd, EDITED), 'utf8')
    appendFileSync(join(cwd, EDITED), '// mine\n')
    const { status, stderr } = await generate('--overwrite')
    expect(status).toBe(0)
    expect(stderr).toContain('! book/src/schema.ts\n')
    expect(stderr).toContain('Your versions were kept:\n  book/src/schema.ts.orig\n')
    expect(readFileSync(join(cwd, EDITED), 'utf8')).toBe(text)
    expect(readFileSync(join(cwd, `${EDITED}.orig`), 'utf8')).toBe(`${text}// mine\n`)
  })

  it('of a service that left the definition stay and are listed', async () => {
    await generate()
    appendFileSync(join(cwd, EDITED), '// mine\n')
    define(WITHOUT_BOOK)
    const { status, stderr } = await generate('--allow-data-loss', 'Book')
    expect(status).toBe(0)
    expect(stderr).toContain(
      'Kept because you edited them, although they are no longer generated:\n  book/src/schema.ts\n',
    )
    expect(existsSync(join(cwd, EDITED))).toBe(true)
  })

  it('that were deleted are brought back', async () => {
    await generate()
    rmSync(join(cwd, EDITED))
    const { stderr } = await generate()
    expect(stderr).toContain('Restored deleted files:\n  book/src/schema.ts\n')
    expect(existsSync(join(cwd, EDITED))).toBe(true)
  })
})

describe('own dependencies', () => {
  it('stay, and generation says when the lock file is outdated', async () => {
    await generate()
    const file = join(cwd, 'book-shop/package.json')
    const content = JSON.parse(readFileSync(file, 'utf8')) as { dependencies: object }
    const mine = { ...content, dependencies: { ...content.dependencies, 'date-fns': '4.1.0' } }
    writeFileSync(file, `${JSON.stringify(mine, undefined, 2)}\n`)
    const { status, stderr } = await generate()
    expect(status).toBe(0)
    expect(stderr).toContain(
      'You changed dependencies:\n  package-lock.json is outdated: run `npm install --prefix book-shop`\n',
    )
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(mine)
    rmSync(join(cwd, 'book-shop/package-lock.json'))
    expect((await generate()).stderr).toContain('  package-lock.json is missing: run ')
  })
})

describe('--dry-run', () => {
  it('lists what would be done and does nothing', async () => {
    const first = await generate('--dry-run')
    expect(first.status).toBe(0)
    expect(first.stdout).toMatch(/^\+ README\.md$/m)
    expect(readdirSync(cwd)).toEqual(['shop.portico'])
    await generate()
    define(WITH_PRICE)
    const before = treeOf(cwd)
    const { status, stdout, stderr } = await generate('--dry-run', '--backfill', 'Book.price=1')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^\+ book-db\/migrations\/0002_add_price_to_book\.expand\.sql$/m)
    expect(stderr).toMatch(/^breaking\[request-attribute-required\]: [^]*\nNothing was changed\n$/)
    expect(treeOf(cwd)).toEqual(before)
  })

  it('lists what is in the way', async () => {
    await generate()
    appendFileSync(join(cwd, 'book-shop/README.md'), 'mine')
    const { status, stdout, stderr } = await generate('--dry-run')
    expect(status).toBe(3)
    expect(stdout).toBe('? README.md (edited by hand)\n')
    expect(stderr).toContain(
      '`README.md` was edited by hand\nhelp: make the files yours with `portico eject <path>...`, undo the edits, or replace the files with `portico generate --overwrite`, which keeps your versions as `*.orig`\n',
    )
    expect((await generate('--dry-run', '--overwrite')).stdout).toBe('! README.md\n')
  })
})

describe('--diff', () => {
  it('shows what would be done, as patch(1) takes it', async () => {
    await generate()
    define(WITH_PRICE)
    const before = treeOf(cwd)
    const { status, stdout } = await generate('--diff', '--backfill', 'Book.price=1')
    expect(status).toBe(0)
    expect(stdout).toContain('--- a/book/src/schema.ts\n+++ b/book/src/schema.ts\n@@ ')
    expect(stdout).toMatch(/^\+ALTER TABLE "book" ADD COLUMN "price" double precision/m)
    expect(treeOf(cwd)).toEqual(before)
    define(WITHOUT_BOOK)
    expect((await generate('--diff')).stdout).toContain('--- a/book/src/schema.ts\n+++ /dev/null\n')
  })

  it('only names files that nobody reads as text', async () => {
    const { stdout } = await generate('--diff')
    expect(stdout).toContain('Files /dev/null and b/api/openapi.json differ\n')
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThan(1200)
  })

  it('has colors where they are asked for', async () => {
    const { stdout } = await generate('--diff', '--color', 'always')
    expect(stdout).toContain('\u001b[32m+')
    expect((await generate('--diff')).stdout).not.toContain('\u001b')
  })

  it('shows control characters in a file, not what they do', async () => {
    await generate()
    appendFileSync(join(cwd, 'book-shop/book/src/schema.ts'), '// \u001b[31m\u009b2J\u202e\n')
    const { stdout } = await generate('--diff', '--overwrite', '--color', 'always')
    expect(stdout).toContain('\u001b[31m-// \\u001b[31m\\u009b2J\\u202e\u001b[39m\n')
  })
})

describe('--check', () => {
  it('is content with a project that is current', async () => {
    await generate()
    const { status, stdout } = await generate('--check')
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  })

  it.each([
    ['was never generated', () => rmSync(join(cwd, 'book-shop'), { recursive: true }), /^\+ README\.md$/m],
    ['has an older definition', () => define(WITH_PRICE), /^~ book\/src\/schema\.ts$/m],
    ['lacks a file', () => rmSync(join(cwd, 'book-shop/README.md')), /^\+ README\.md$/m],
    [
      'was edited',
      () => appendFileSync(join(cwd, 'book-shop/README.md'), 'mine'),
      /^\? README\.md \(edited by hand\)$/m,
    ],
    [
      'lost its manifest',
      () => rmSync(join(cwd, 'book-shop/.portico'), { recursive: true }),
      /^~ \.portico\/manifest\.json$/m,
    ],
    ['has too much', () => define(WITHOUT_BOOK), /^- book\/src\/schema\.ts$/m],
  ])('fails where the project %s', async (_, change, listed) => {
    await generate()
    change()
    const before = treeOf(cwd)
    const { status, stdout, stderr } = await generate('--check')
    expect(status).toBe(1)
    expect(stdout).toMatch(listed)
    expect(stderr).toBe(
      listed.source.includes('edited')
        ? '`README.md` was edited by hand\nhelp: make the files yours with `portico eject <path>...`, undo the edits, or replace the files with `portico generate --overwrite`, which keeps your versions as `*.orig`\n'
        : 'book-shop is not up to date. Run `portico generate`\n',
    )
    expect(treeOf(cwd)).toEqual(before)
  })

  it('fails where an earlier generation was interrupted', async () => {
    await generate()
    mkdirSync(join(cwd, 'book-shop/.portico/staging'))
    writeFileSync(join(cwd, 'book-shop/.portico/staging/manifest.json'), '')
    writeFileSync(join(cwd, 'book-shop/.portico/journal.json'), '{"version":2,"steps":[]}')
    const { status, stderr } = await generate('--check')
    expect(status).toBe(1)
    expect(stderr).toContain('was interrupted')
    const finished = await generate()
    expect(finished.stderr).toContain('An earlier write was interrupted and has been rolled back')
    expect((await generate('--check')).status).toBe(0)
  })
})

describe('the output directory', () => {
  it('a file in place of the output directory', async () => {
    writeFileSync(join(cwd, 'book-shop'), 'text')
    const { status, stderr } = await generate()
    expect(status).toBe(3)
    expect(stderr).toBe(
      'error: `book-shop` is not a directory\nhelp: choose another output directory with `--output`\n',
    )
  })

  it('below a link that leads nowhere', async () => {
    symlinkSync('missing', join(cwd, 'link'))
    expect(await generate('-o', 'link/shop')).toEqual({
      status: 3,
      stdout: '',
      stderr:
        'error: `link` is not a directory. Nothing was changed.\nhelp: choose another directory with `--output`\n',
    })
  })

  it('with files of something else', async () => {
    mkdirSync(join(cwd, 'book-shop'))
    for (const [text, reason] of [
      ['{"name":"mine"}', 'name'],
      ['[]', 'not a JSON object'],
    ] as const) {
      writeFileSync(join(cwd, 'book-shop/package.json'), text)
      expect((await generate()).stderr).toBe(
        [
          'error: Could not write to `book-shop` without overwriting these files:',
          `  package.json (not written by Portico: ${reason})`,
          'help: choose another directory with `--output`, or replace the files with `portico generate --overwrite`, which keeps your versions as `*.orig`',
          '',
        ].join('\n'),
      )
    }
    symlinkSync('/usr/lib', join(cwd, 'book-shop/lib'))
    expect((await generate()).stderr).toMatch(
      /\nhelp: choose another directory with `--output`, or move what is in the way of these directories\n$/,
    )
  })

  it('a path in the manifest that controls the terminal', async () => {
    await generate()
    const file = join(cwd, 'book-shop/.portico/manifest.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as { files: Record<string, unknown> }
    manifest.files['x\u009b31m\u202ey'] = manifest.files['README.md']
    writeFileSync(file, JSON.stringify(manifest))
    for (const options of [[], ['--dry-run']]) {
      const { status, stdout, stderr } = await generate(...options)
      expect({ status, stdout }).toEqual({ status: 3, stdout: '' })
      expect(stderr).toContain('is damaged: the path "x\\u009b31m\\u202ey" is not allowed')
    }
  })

  it('a manifest that makes no sense', async () => {
    mkdirSync(join(cwd, 'book-shop/.portico'), { recursive: true })
    writeFileSync(join(cwd, 'book-shop/.portico/manifest.json'), '<<<<<<< HEAD')
    for (const options of [[], ['--check'], ['--diff'], ['--overwrite']]) {
      const { status, stderr } = await generate(...options)
      expect(status).toBe(3)
      expect(stderr).toMatch(
        /^error: The manifest `book-shop\/\.portico\/manifest\.json` contains a merge conflict/,
      )
    }
    expect(treeOf(join(cwd, 'book-shop'))).toEqual({ '.portico/manifest.json': '<<<<<<< HEAD' })
  })
})

it('gives the same bytes in every place, whatever the time zone and the locale', async () => {
  await generate()
  const other = temporaryDirectory()
  writeFileSync(join(other, 'renamed.portico'), DEFINITION.replaceAll('\n', '\r\n'))
  const env = { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }
  expect((await runProcess(['generate', 'renamed.portico', '-q'], { cwd: other, env })).status).toBe(0)
  expect(treeOf(join(other, 'book-shop'))).toEqual(treeOf(join(cwd, 'book-shop')))
})
