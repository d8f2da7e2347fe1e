import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { treeOf } from '../output/project.ts'
import { run, temporaryDirectory } from './harness.ts'

const DEFINITION = 'BookShop: project {} Book: service { title: string(200); }'

let cwd = ''

beforeEach(() => {
  cwd = temporaryDirectory()
  writeFileSync(join(cwd, 'shop.portico'), DEFINITION)
})

function client(...options: string[]) {
  return run(['client', 'shop.portico', ...options], { cwd })
}

describe('portico client', () => {
  it('writes the package where its name says, and what to do next', async () => {
    const { status, stdout, stderr } = await client()
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
    expect(stderr).toMatch(/^Wrote \d+ files to book-shop-client\.$/m)
    expect(stderr).toContain('Next: `npm install && npm run build` in book-shop-client')
    expect(existsSync(join(cwd, 'book-shop-client/src/services/book.ts'))).toBe(true)
    expect((await client()).stderr).toMatch(/^book-shop-client is up to date\.$/m)
  })

  it('writes it where --output says, in the language asked for', async () => {
    expect((await client('--language', 'ts', '-o', 'deep/down')).status).toBe(0)
    await client()
    expect(treeOf(join(cwd, 'deep/down'))).toEqual(treeOf(join(cwd, 'book-shop-client')))
    expect((await client('--language', 'go')).status).toBe(2)
  })

  it('follows the definition', async () => {
    await client()
    writeFileSync(
      join(cwd, 'shop.portico'),
      DEFINITION.replace('Book:', 'Author: service { n: int; } Novel:'),
    )
    await client()
    expect(existsSync(join(cwd, 'book-shop-client/src/services/book.ts'))).toBe(false)
    expect(readFileSync(join(cwd, 'book-shop-client/src/client.ts'), 'utf8')).toContain(
      'novelApi(connection)',
    )
  })

  it('keeps files that are not its own, whatever the definition becomes', async () => {
    await client()
    const own = join(cwd, 'book-shop-client/src/services/cache.ts')
    writeFileSync(own, '// mine\n')
    writeFileSync(join(cwd, 'shop.portico'), DEFINITION.replace('Book:', 'Novel:'))
    expect((await client()).status).toBe(0)
    expect(readFileSync(own, 'utf8')).toBe('// mine\n')
  })

  it('shows what would change, and changes nothing', async () => {
    const first = await client('--dry-run')
    expect(first.status).toBe(0)
    expect(first.stdout).toContain('+ package.json')
    expect(existsSync(join(cwd, 'book-shop-client'))).toBe(false)
    await client()
    expect(await client('-q', '--check')).toEqual({ status: 0, stdout: '', stderr: '' })

    writeFileSync(join(cwd, 'shop.portico'), DEFINITION.replace('title', 'name'))
    const before = treeOf(join(cwd, 'book-shop-client'))
    const { status, stdout, stderr } = await client('--check')
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout: expect.stringContaining('~ src/services/book.ts'),
    })
    expect(stderr).toContain('`portico client` brings it up to date.')
    expect((await client('--diff')).stdout).toMatch(/^-\s+.*title.*\n(?:.*\n)*?\+.*name/m)
    expect(treeOf(join(cwd, 'book-shop-client'))).toEqual(before)
  })

  it('never writes over what was edited by hand, unless told to', async () => {
    await client()
    const file = join(cwd, 'book-shop-client/src/client.ts')
    appendFileSync(file, '// mine\n')
    const refused = await client()
    expect(refused.status).toBe(3)
    expect(refused.stderr).toContain('src/client.ts')
    expect(readFileSync(file, 'utf8')).toContain('// mine')
    expect((await client('--overwrite')).status).toBe(0)
    expect(readFileSync(file, 'utf8')).not.toContain('// mine')
  })

  it('takes no project for a client, and no client for a project', async () => {
    await run(['generate', 'shop.portico'], { cwd })
    const before = treeOf(join(cwd, 'book-shop'))
    const refused = await client('-o', 'book-shop')
    expect(refused.status).toBe(3)
    expect(refused.stderr).toContain(
      'book-shop holds a generated project, not a client. Nothing was changed.',
    )
    expect(treeOf(join(cwd, 'book-shop'))).toEqual(before)

    await client()
    const other = await run(['generate', 'shop.portico', '-o', 'book-shop-client'], { cwd })
    expect(other.status).toBe(3)
    expect(other.stderr).toContain('book-shop-client holds a generated client, not a project.')
  })

  it('reports a definition that is wrong, and writes nothing', async () => {
    writeFileSync(join(cwd, 'shop.portico'), 'Shop: project {} Item: service { a: nothing; }')
    expect((await client()).status).toBe(1)
    expect(existsSync(join(cwd, 'shop-client'))).toBe(false)
  })
})
