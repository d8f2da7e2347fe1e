import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { nameError } from '../../src/cli/new.ts'
import { projectNameFor, type StarterAnswers, starterDefinition } from '../../src/starter.ts'
import { compile } from '../../src/compile.ts'
import { formatText } from '../../src/language/formatter.ts'
import { run, runOnTerminal, runProcess, temporaryDirectory, type Typing } from './harness.ts'

const EVERY_ANSWER: StarterAnswers[] = [true, false].flatMap((authentication) =>
  (['example', 'minimal'] as const).flatMap((content) =>
    (['typescript', 'go'] as const).map((language) => ({ name: 'Shop', authentication, content, language })),
  ),
)

describe('the first definition', () => {
  it.each(EVERY_ANSWER)('is valid, without hints, and formatted: %j', (answers) => {
    const text = starterDefinition(answers)
    const { diagnostics, platform } = compile(text)
    expect(diagnostics).toEqual([])
    expect(platform?.authentication === undefined).toBe(!answers.authentication)
    expect(platform?.services[0]?.language).toBe(answers.language)
    expect(formatText(text)).toEqual({ text, syntaxErrors: [] })
  })

  it.each([
    ['my-shop', 'MyShop'],
    ['my_shop.2', 'MyShop2'],
    ['HTTPProxy', 'HttpProxy'],
    ['2nd place', 'My2ndPlace'],
    ['été & café', 'EteCafe'],
    ['日本', 'MyPlatform'],
    ['', 'MyPlatform'],
    ['x'.repeat(300), `X${'x'.repeat(39)}`],
  ])('for a directory called %j names the project %s', (directory, name) => {
    expect(projectNameFor(directory)).toBe(name)
  })
})

describe('a project name', () => {
  it.each([
    ['support desk', 'Use letters and digits only: `SupportDesk`'],
    ['support-desk!', 'Use letters and digits only: `SupportDesk`'],
    ['\u001b[31m', 'Use letters and digits only: `My31m`'],
    ['', 'Enter a name, such as `SupportDesk`'],
    ['  ', 'Enter a name, such as `SupportDesk`'],
    ['SupportDesk', undefined],
  ])('%j: %s', (name, message) => {
    expect(nameError(name)).toBe(message)
  })
})

describe('portico new', () => {
  it('asks nothing without a terminal, and writes a valid definition', async () => {
    const cwd = temporaryDirectory()
    const ended = await runProcess(['new', 'my-shop'], { cwd })
    expect(ended).toMatchObject({ status: 0, stdout: 'my-shop/my-shop.portico\n' })
    expect(ended.stderr).toBe('Next: portico dev my-shop/my-shop.portico\n')
    expect((await run(['validate', 'my-shop/my-shop.portico'], { cwd })).status).toBe(0)
  })

  it('chooses Go and its module without a terminal, and generates with them', async () => {
    const cwd = temporaryDirectory()
    const created = await run(['new', 'my-shop', '--language', 'go', '--module', 'github.com/acme/shop'], {
      cwd,
    })
    expect(created).toMatchObject({ status: 0, stdout: 'my-shop/my-shop.portico\nmy-shop/go.mod\n' })
    const { status, stderr } = await run(['generate', 'my-shop/my-shop.portico'], { cwd })
    expect({ status, stderr }).toMatchObject({ status: 0 })
    expect(readFileSync(join(cwd, 'my-shop/go.mod'), 'utf8')).toMatch(
      /^module github.com\/acme\/shop\n[^]*pgx/,
    )
    expect(readFileSync(join(cwd, 'my-shop/article/setup.go'), 'utf8')).toContain(
      '"github.com/acme/shop/internal/platform"',
    )
  })

  it('leaves the module of a directory as it is', async () => {
    const cwd = temporaryDirectory()
    mkdirSync(join(cwd, 'shop'))
    writeFileSync(join(cwd, 'shop/go.mod'), 'module github.com/acme/shop\n\ngo 1.26.4\n')
    const created = await run(['new', 'shop', '--language', 'go'], { cwd })
    expect(created).toMatchObject({ status: 0, stdout: 'shop/shop.portico\n' })
    expect((await run(['generate', 'shop/shop.portico'], { cwd })).status).toBe(0)
    expect(readFileSync(join(cwd, 'shop/go.mod'), 'utf8')).toMatch(/^module github.com\/acme\/shop\n/)
  })

  it('rejects a module of services in TypeScript', async () => {
    const cwd = temporaryDirectory()
    expect(await run(['new', 'shop', '--module', 'example.com/shop'], { cwd })).toEqual({
      status: 2,
      stdout: '',
      stderr: 'error: `--module` requires `--language go`\n',
    })
    expect(readdirSync(cwd)).toEqual([])
  })

  it('writes nothing that conflicts with the project, which is generated into the same directory', async () => {
    const cwd = temporaryDirectory()
    await run(['new', 'my-shop'], { cwd })
    const { status, stderr } = await run(['generate', 'my-shop/my-shop.portico'], { cwd })
    expect({ status, stderr }).toMatchObject({ status: 0 })
    expect(readdirSync(join(cwd, 'my-shop'))).toEqual(
      expect.arrayContaining(['README.md', 'my-shop.portico']),
    )
  })

  it.each(['author', 'article', 'category', 'comment', 'auth', 'gateway', 'api'])(
    'finds a name where the directory is called like something else: %s',
    async (directory) => {
      const cwd = temporaryDirectory()
      const { status, stdout } = await run(['new', directory], { cwd })
      expect(status).toBe(0)
      const [definition = ''] = stdout.split('\n')
      expect(compile(readFileSync(join(cwd, definition), 'utf8')).diagnostics).toEqual([])
    },
  )

  it('overwrites nothing', async () => {
    const cwd = temporaryDirectory()
    mkdirSync(join(cwd, 'shop'))
    writeFileSync(join(cwd, 'shop/shop.portico'), 'mine')
    const { status, stdout, stderr } = await run(['new', 'shop'], { cwd })
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' })
    expect(stderr).toContain('error: `shop/shop.portico` already exists\nhelp: choose another directory\n')
    expect(readdirSync(join(cwd, 'shop'))).toEqual(['shop.portico'])
    expect(readFileSync(join(cwd, 'shop/shop.portico'), 'utf8')).toBe('mine')
  })

  it('quotes a name with spaces in the next step', async () => {
    const cwd = temporaryDirectory()
    const { stderr } = await run(['new', "Ada's shop"], { cwd })
    expect(stderr).toBe(`Next: portico dev 'Ada'\\''s shop/ada-s-shop.portico'\n`)
  })

  it('prints the name of the project if letters of the directory are left out', async () => {
    const cwd = temporaryDirectory()
    expect(await run(['new', '日本'], { cwd })).toEqual({
      status: 0,
      stdout: '日本/my-platform.portico\n',
      stderr:
        'The project is called MyPlatform: a name consists of the letters A to Z and digits\nNext: portico dev 日本/my-platform.portico\n',
    })
    expect((await run(['new', 'été'], { cwd })).stderr).toBe('Next: portico dev été/ete.portico\n')
  })

  it('rejects control characters and the name of a definition file', async () => {
    const cwd = temporaryDirectory()
    for (const name of ['ab\u001b[31mc', 'a\nb'])
      expect(await run(['new', name], { cwd })).toEqual({
        status: 2,
        stdout: '',
        stderr: 'error: The name of a directory cannot contain control characters\n',
      })
    const named = await run(['new', 'my shop.portico'], { cwd })
    expect(named.status).toBe(2)
    expect(named.stderr).toBe(
      "error: `my shop.portico` is the name of a definition file. Pass a directory\nhelp: for example `portico new 'my shop'`\n",
    )
    expect(readdirSync(cwd)).toEqual([])
  })

  it('reports a file in place of the directory', async () => {
    const cwd = temporaryDirectory()
    writeFileSync(join(cwd, 'shop'), '')
    expect(await run(['new', 'shop'], { cwd })).toEqual({
      status: 3,
      stdout: '',
      stderr: 'error: `shop` is not a directory\nhelp: choose another directory\n',
    })
  })

  it('names a directory that cannot be created', async () => {
    const cwd = temporaryDirectory()
    writeFileSync(join(cwd, 'shop'), '')
    const { status, stderr } = await run(['new', 'shop/inner'], { cwd })
    expect(status).toBe(3)
    expect(stderr).toBe('error: `shop` is not a directory\nhelp: choose another directory\n')
  })

  it.runIf(process.platform === 'linux')('says why a directory cannot be created', async () => {
    expect((await run(['new', '/proc/shop'])).stderr).toBe(
      'error: Could not create `/proc/shop`: its file system does not allow it\nhelp: choose another directory\n',
    )
  })
})

describe.runIf(process.platform === 'linux')('portico new on a terminal', () => {
  const DOWN = '\u001b[B'
  const typing = (content: string, login: string, language: string, name: string): Typing[] => [
    ['What should the definition start with?', content],
    ['Do users log in?', login],
    ['In which language', language],
    ['Project name:', name],
  ]

  it('uses the answers', async () => {
    const cwd = temporaryDirectory()
    const { status, screen } = await runOnTerminal(
      ['new', 'shop'],
      cwd,
      typing(`${DOWN}\r`, 'n\r', '\r', '\u0015Books\r'),
    )
    expect(screen).toContain('shop/books.portico')
    expect(status).toBe(0)
    expect(readFileSync(join(cwd, 'shop/books.portico'), 'utf8')).toBe(
      starterDefinition({
        name: 'Books',
        language: 'typescript',
        authentication: false,
        content: 'minimal',
      }),
    )
  })

  it('asks for the module of services in Go, again if it is invalid', async () => {
    const cwd = temporaryDirectory()
    const { status, screen } = await runOnTerminal(['new', 'shop'], cwd, [
      ...typing('\r', '\r', `${DOWN}\r`, '\r'),
      ['example.com/shop', '\u0015../shop\r'],
      ['Enter the path of a module', '\u0015github.com/acme/shop\r'],
    ])
    expect(status, screen).toBe(0)
    expect(readFileSync(join(cwd, 'shop/shop.portico'), 'utf8')).toContain('#language(go);')
    expect(readFileSync(join(cwd, 'shop/go.mod'), 'utf8')).toBe('module github.com/acme/shop\n')
  })

  it('does not ask what options answer', async () => {
    const cwd = temporaryDirectory()
    const options = ['--language', 'go', '--module', 'github.com/acme/shop']
    const { status, screen } = await runOnTerminal(
      ['new', 'shop', ...options],
      cwd,
      typing('\r', '\r', '', '\r').toSpliced(2, 1),
    )
    expect(status, screen).toBe(0)
    expect(screen).not.toMatch(/In which language|Path of the Go module/)
    expect(readFileSync(join(cwd, 'shop/go.mod'), 'utf8')).toBe('module github.com/acme/shop\n')
  })

  it('asks again for an invalid name, with the message of validation', async () => {
    const cwd = temporaryDirectory()
    const { status, screen } = await runOnTerminal(['new', 'shop'], cwd, [
      ...typing('\r', '\r', '\r', '\u0015Article\r'),
      ['Article`', '\u0015Reading\r'],
    ])
    expect(status, screen).toBe(0)
    expect(readdirSync(join(cwd, 'shop')).sort()).toEqual(['reading.portico'])
  })

  it('asks nothing with --yes', async () => {
    const cwd = temporaryDirectory()
    const { status, screen } = await runOnTerminal(['new', 'shop', '--yes'], cwd, [])
    expect(status).toBe(0)
    expect(screen).not.toContain('?')
    expect(readdirSync(join(cwd, 'shop')).sort()).toEqual(['shop.portico'])
  })

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('writes nothing after %s', async (_, key) => {
    const cwd = temporaryDirectory()
    const { status, screen } = await runOnTerminal(['new', 'shop'], cwd, [
      ['What should the definition start with?', key],
    ])
    expect(screen).toContain('Canceled. Nothing was changed.')
    expect(status).toBe(2)
    expect(readdirSync(cwd)).toEqual([])
  })
})
