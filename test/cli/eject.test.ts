import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { run, temporaryDirectory } from './harness.ts'

const DEFINITION = `Shop: project { #authMethod(email); }

Customer: service { name: string(80); #auth; }
Book: service { title: string(200); #readable(by: all); }
`
const ROUTES = 'shop/book/src/routes/book.ts'

let cwd = ''

beforeEach(async () => {
  cwd = temporaryDirectory()
  writeFileSync(join(cwd, 'shop.portico'), DEFINITION)
  await portico('generate', 'shop.portico')
})

function portico(...args: string[]) {
  return run(args, { cwd })
}

function read(path: string): string {
  return readFileSync(join(cwd, path), 'utf8')
}

describe('portico eject', () => {
  it('makes an edited file yours, and shows how its generated version changes', async () => {
    expect(await portico('eject', ROUTES)).toEqual({
      status: 0,
      stdout: '',
      stderr: `Ejected: ${ROUTES}\n`,
    })
    const edited = `// Mine.\n${read(ROUTES)}`
    writeFileSync(join(cwd, ROUTES), edited)
    expect((await portico('generate', 'shop.portico', '--overwrite')).stderr).not.toContain('ejected')

    writeFileSync(join(cwd, 'shop.portico'), DEFINITION.replace('by: all); ', 'by: all); #enumerable; '))
    const { status, stderr } = await portico('generate', 'shop.portico')
    const notice = [
      'The generated versions of files that you ejected have changed:',
      '  book/src/routes/book.ts',
      'help: `--diff` shows the changes. When you have taken them over, eject the files again',
    ].join('\n')
    expect(status).toBe(0)
    expect(stderr).toContain(notice)
    expect(read(ROUTES)).toBe(edited)
    const { stdout } = await portico('generate', 'shop.portico', '--diff')
    expect(stdout).toMatch(
      /^Ejected: book\/src\/routes\/book\.ts\. Its generated version has changed:\n--- a\/book\/src\/routes\/book\.ts\n/,
    )
    expect(stdout).not.toContain('Mine')
    expect(await portico('generate', 'shop.portico', '--check')).toMatchObject({ status: 0, stdout: '' })

    await portico('eject', ROUTES)
    expect((await portico('generate', 'shop.portico')).stderr).not.toContain('ejected')
    expect(await portico('eject', '--undo', ROUTES)).toEqual({
      status: 0,
      stdout: '',
      stderr: `Given back: ${ROUTES}. Your version was kept: ${ROUTES}.orig\nNext: run \`portico generate\`, which writes these files again\n`,
    })
    await portico('generate', 'shop.portico')
    expect(read(ROUTES)).not.toContain('Mine')
    expect(read(`${ROUTES}.orig`)).toBe(edited)
  })

  it('takes directories, from any working directory', async () => {
    const { status, stderr } = await run(['eject', 'src', '../book-db'], { cwd: join(cwd, 'shop/book') })
    expect(status).toBe(2)
    expect(stderr).toMatch(/^error: `\.\.\/book-db` contains only files that are yours\n$/)
    const ejected = await run(['eject', 'src'], { cwd: join(cwd, 'shop/book') })
    expect(ejected.stderr).toContain('Ejected: src/routes/book.ts\n')
    expect(ejected.stderr).not.toContain('setup.ts')
  })

  it('says why a path cannot be ejected', async () => {
    const errorOf = async (...args: string[]) => (await portico('eject', ...args)).stderr
    expect(await errorOf('shop/book/src/setup.ts')).toBe(
      'error: `shop/book/src/setup.ts` is already yours: `portico generate` does not write it\n',
    )
    writeFileSync(join(cwd, 'shop/notes.txt'), '')
    expect(await errorOf('shop/notes.txt')).toContain('is already yours')
    expect(await errorOf('shop/book/src/routes/bok.ts')).toBe(
      'error: Unknown generated file `book/src/routes/bok.ts`\nhelp: did you mean `book/src/routes/book.ts`?\n',
    )
    expect(await errorOf('shop/book-db/migrations/schema.json')).toContain(
      'cannot be ejected: it records the schema that the migrations create',
    )
    expect(await errorOf('shop.portico')).toBe(
      'error: `shop.portico` is not in a generated project\nhelp: pass the path of a generated file\n',
    )
    expect(await errorOf('--undo', ROUTES)).toBe(`error: \`${ROUTES}\` is not ejected\n`)
    expect(existsSync(join(cwd, `${ROUTES}.orig`))).toBe(false)
  })
})
