import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectNameFor, type StarterAnswers, starterDefinition } from '../../src/starter.ts'
import { compile } from '../../src/compile.ts'
import { formatText } from '../../src/language/formatter.ts'
import { run, runOnTerminal, runProcess, temporaryDirectory, type Typing } from './harness.ts'

const EVERY_ANSWER: StarterAnswers[] = [true, false].flatMap((authentication) =>
  (['example', 'minimal'] as const).map((content) => ({ name: 'Shop', authentication, content })),
)

describe('the first definition', () => {
  it.each(EVERY_ANSWER)('is valid, without as much as a hint, and laid out well: %j', (answers) => {
    const text = starterDefinition(answers)
    const { diagnostics, platform } = compile(text)
    expect(diagnostics).toEqual([])
    expect(platform?.authentication === undefined).toBe(!answers.authentication)
    expect(formatText(text)).toEqual({ text })
  })

  it.each([
    ['my-shop', 'MyShop'],
    ['my_shop.2', 'MyShop2'],
    ['HTTPProxy', 'HttpProxy'],
    ['2nd place', 'My2ndPlace'],
    ['日本', 'MyPlatform'],
    ['', 'MyPlatform'],
    ['x'.repeat(300), `X${'x'.repeat(39)}`],
  ])('for a directory called %j names the project %s', (directory, name) => {
    expect(projectNameFor(directory)).toBe(name)
  })
})

describe('portico new', () => {
  it('asks nothing without a terminal, and what it writes validates', async () => {
    const cwd = temporaryDirectory()
    const ended = await runProcess(['new', 'my-shop'], { cwd })
    expect(ended).toMatchObject({ status: 0, stdout: 'my-shop/my-shop.portico\n' })
    expect(ended.stderr).toBe('Run it: portico dev my-shop/my-shop.portico\n')
    expect((await run(['validate', 'my-shop/my-shop.portico'], { cwd })).status).toBe(0)
  })

  it('leaves nothing in the way of the project, which goes into the same directory', async () => {
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

  it('writes over nothing', async () => {
    const cwd = temporaryDirectory()
    mkdirSync(join(cwd, 'shop'))
    writeFileSync(join(cwd, 'shop/shop.portico'), 'mine')
    const { status, stdout, stderr } = await run(['new', 'shop'], { cwd })
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' })
    expect(stderr).toContain('shop/shop.portico exists already, so nothing was written.')
    expect(readdirSync(join(cwd, 'shop'))).toEqual(['shop.portico'])
    expect(readFileSync(join(cwd, 'shop/shop.portico'), 'utf8')).toBe('mine')
  })

  it('says how to run what is called with spaces', async () => {
    const cwd = temporaryDirectory()
    const { stderr } = await run(['new', "Ada's shop"], { cwd })
    expect(stderr).toBe(`Run it: portico dev 'Ada'\\''s shop/ada-s-shop.portico'\n`)
  })

  it('takes neither nothing nor a definition for a directory', async () => {
    const cwd = temporaryDirectory()
    const { status, stderr } = await run(['new', ''], { cwd })
    expect({ status, stderr }).toEqual({ status: 2, stderr: 'error: The name of the directory is empty.\n' })
    const named = await run(['new', 'my shop.portico'], { cwd })
    expect(named.status).toBe(2)
    expect(named.stderr).toBe(
      "error: my shop.portico is to be a directory, and looks like a definition.\nName the directory, as `portico new 'my shop'`: the definition is written into it.\n",
    )
    expect(readdirSync(cwd)).toEqual([])
  })

  it('says which directory cannot be made', async () => {
    const cwd = temporaryDirectory()
    writeFileSync(join(cwd, 'shop'), '')
    const { status, stderr } = await run(['new', 'shop/inner'], { cwd })
    expect(status).toBe(3)
    expect(stderr).toMatch(/^error: .*shop.*: a part of the path is not a directory\.\n$/)
  })
})

describe.runIf(process.platform === 'linux')('portico new on a terminal', () => {
  const DOWN = '\u001b[B'
  const typing = (content: string, login: string, name: string): Typing[] => [
    ['What should it begin with?', content],
    ['Do users log in?', login],
    ['What is the project called?', name],
  ]

  it('takes the answers', async () => {
    const cwd = temporaryDirectory()
    const { status, screen } = await runOnTerminal(
      ['new', 'shop'],
      cwd,
      typing(`${DOWN}\r`, 'n\r', '\u0015Books\r'),
    )
    expect(screen).toContain('shop/books.portico')
    expect(status).toBe(0)
    expect(readFileSync(join(cwd, 'shop/books.portico'), 'utf8')).toBe(
      starterDefinition({ name: 'Books', authentication: false, content: 'minimal' }),
    )
  })

  it('asks again where a name will not do, with the words of validation', async () => {
    const cwd = temporaryDirectory()
    const { status, screen } = await runOnTerminal(['new', 'shop'], cwd, [
      ...typing('\r', '\r', '\u0015Article\r'),
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

  it('writes nothing where a question is answered with Ctrl-C', async () => {
    const cwd = temporaryDirectory()
    const { status, screen } = await runOnTerminal(['new', 'shop'], cwd, [
      ['What should it begin with?', '\u0003'],
    ])
    expect(screen).toContain('The question was not answered, so nothing was done.')
    expect(status).toBe(2)
    expect(readdirSync(cwd)).toEqual([])
  })
})
