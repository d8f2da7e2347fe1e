import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { PORTICO, run, temporaryDirectory } from './harness.ts'

const SHOP = `import "people/people.portico";

Shop: project {}

Order: service {
  buyer: Member;
}
`
const PEOPLE = 'Member: service {\n  name: string(80);\n}\n'

let cwd = ''
const write = (name: string, text: string): void => writeFileSync(join(cwd, name), text)
const validate = (...args: readonly string[]) => run(['validate', 'shop/shop.portico', ...args], { cwd })

beforeEach(() => {
  cwd = temporaryDirectory()
  mkdirSync(join(cwd, 'shop/people'), { recursive: true })
  write('shop/shop.portico', SHOP)
  write('shop/people/people.portico', PEOPLE)
})

it('validates all files of a definition', async () => {
  expect(await validate()).toEqual({
    status: 0,
    stdout: 'shop/shop.portico: valid (2 services, 0 structs, 10 endpoints)\n',
    stderr: '',
  })
  write('shop/people/people.portico', PEOPLE.replace('string', 'strin'))
  expect(await validate()).toMatchObject({
    status: 1,
    stdout: 'shop/shop.portico: 1 error\n',
    stderr: expect.stringContaining('\n  shop/people/people.portico:2:9\n') as unknown,
  })
})

it('checks an imported file only as a part of its definition', async () => {
  expect(await validate('shop/people/people.portico')).toEqual({
    status: 0,
    stdout: 'shop/shop.portico: valid (2 services, 0 structs, 10 endpoints)\n',
    stderr: '',
  })
  expect(await run(['validate', 'shop/people/people.portico'], { cwd })).toMatchObject({ status: 1 })
})

it('suggests the path of a file for one that does not exist', async () => {
  write('shop/shop.portico', SHOP.replace('people/people', 'poeple'))
  expect((await validate()).stderr).not.toContain('did you mean')
  write('shop/shop.portico', SHOP.replace('people/people', 'people'))
  expect((await validate()).stderr).toContain('= help: did you mean `people/people.portico`?')
  mkdirSync(join(cwd, 'shop/node_modules'))
  write('shop/node_modules/people.portico', PEOPLE)
  expect((await validate()).stderr).toContain('= help: did you mean `people/people.portico`?')
})

it('checks one of two definitions that import each other', async () => {
  write('a.portico', 'import "b.portico";\nA: project {}\n')
  write('b.portico', 'import "a.portico";\nB: project {}\nItem: service {}\n')
  for (const [first, second] of [
    ['a.portico', 'b.portico'],
    ['b.portico', 'a.portico'],
  ] as const)
    expect(await run(['validate', first, second], { cwd })).toMatchObject({
      status: 1,
      stdout: `${first}: 1 error\n`,
    })
})

it('has offsets of the file in JSON', async () => {
  write('shop/people/people.portico', PEOPLE.replace('Member', 'Order').replace('string', 'strin'))
  const { stdout } = await validate('--format', 'json')
  const lines = stdout.trim().split('\n')
  const [first, ...others] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(others.map(({ code, file }) => `${String(file)} ${String(code)}`)).toEqual([
    'shop/people/people.portico duplicate-block',
    'shop/people/people.portico unknown-type',
  ])
  expect(first).toMatchObject({ file: 'shop/shop.portico', code: 'unknown-type' })
  expect(others).toMatchObject([
    {
      range: { start: { offset: 0, line: 1, column: 1 } },
      related: [{ file: 'shop/shop.portico', range: { start: { offset: SHOP.indexOf('Order') } } }],
    },
    { range: { start: { offset: PEOPLE.indexOf('string') - 1 } } },
  ])
})

it('reads regular files in the folder only', async () => {
  write('secret.portico', 'Secret: service {}')
  symlinkSync('../secret.portico', join(cwd, 'shop/link.portico'))
  symlinkSync('people/people.portico', join(cwd, 'shop/inside.portico'))
  mkdirSync(join(cwd, 'shop/folder.portico'))
  execFileSync('mkfifo', [join(cwd, 'shop/pipe.portico')])
  const reportOf = async (name: string): Promise<string> => {
    write('shop/shop.portico', SHOP.replace('people/people', name))
    return (await validate()).stderr
  }
  expect(await reportOf('link')).toContain(
    'error[invalid-import]: `link.portico` is a link to a file outside the folder of the definition\n',
  )
  expect(await reportOf('folder')).toContain('Could not read `folder.portico`: it is a directory\n')
  expect(await reportOf('pipe')).toContain('Could not read `pipe.portico`: it is not a regular file\n')
  write('shop/latin1.portico', '')
  writeFileSync(join(cwd, 'shop/latin1.portico'), 'Tag: service {} // caf\u00e9', 'latin1')
  expect(await reportOf('latin1')).toContain('Could not read `latin1.portico`: it is not UTF-8 text\n')
  expect(await reportOf('none')).toContain('Could not read `none.portico`: no such file or directory\n')
  expect(await reportOf('inside')).toBe('')
})

it('imports nothing into standard input', async () => {
  const { stderr } = await run(['validate', '-'], { cwd: join(cwd, 'shop'), stdin: SHOP })
  expect(stderr).toContain(
    'Could not read `people/people.portico`: the definition was read from standard input\n',
  )
})

it('formats one file', async () => {
  write('shop/people/people.portico', 'Member:service{}')
  write('shop/shop.portico', `  import   "people/people.portico"\n${SHOP.split('\n').slice(1).join('\n')}`)
  expect(await run(['format', 'shop/shop.portico'], { cwd })).toMatchObject({ stdout: 'shop/shop.portico\n' })
  expect((await run(['format', '-'], { stdin: SHOP })).stdout).toBe(SHOP)
  expect((await validate()).stdout).toContain('valid')
  expect((await run(['format', '--check', 'shop/people/people.portico'], { cwd })).status).toBe(1)
})

it('generates all services, and reports what a changed import breaks for clients', async () => {
  const generate = () => run(['generate', 'shop/shop.portico', '-o', 'out'], { cwd })
  write('shop/tags.portico', 'Tag: service {}\n')
  write('shop/people/people.portico', `import "../tags.portico";\n${PEOPLE}`)
  expect(await generate()).toMatchObject({ status: 0 })
  expect((await generate()).stderr).toContain('out is up to date')
  write('shop/people/people.portico', `import "../tags.portico";\n${PEOPLE.replace('80', '40')}`)
  expect((await generate()).stderr).toContain('`Member.name` accepts fewer values')
})

it('watches imported files, those included that are imported or made later', async () => {
  const child = spawn(process.execPath, [PORTICO, 'validate', 'shop/shop.portico', '--watch'], {
    cwd,
    env: { ...process.env, PORTICO_SOURCE: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stdout = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  const checked = async (line: string): Promise<void> => {
    await expect.poll(() => stdout).toMatch(new RegExp(`: ${line}\\n$`))
    stdout = ''
  }
  const changed = async (file: string, text: string, line: string): Promise<void> => {
    write(file, text)
    // A change in the moment in which watching begins can be missed.
    const again = setInterval(() => write(file, text), 3000)
    await checked(line).finally(() => clearInterval(again))
  }
  await checked('valid \\(2 services.*')
  await changed('shop/people/people.portico', `${PEOPLE}Guest: service {}\n`, 'valid \\(3 services.*')
  await changed('shop/shop.portico', `import "more.portico";\n${SHOP}`, '1 error')
  await changed('shop/more.portico', 'Tag: service {}\n', 'valid \\(4 services.*')
  await changed('shop/more.portico', 'Tag: servic {}\n', '1 error')
})
