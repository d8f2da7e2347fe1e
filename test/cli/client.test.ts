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
  it('writes the package to a directory with its name, and prints the next step', async () => {
    const { status, stdout, stderr } = await client()
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
    expect(stderr).toMatch(/^Wrote \d+ files to book-shop-client$/m)
    expect(stderr).toContain('Next: run `npm install && npm run build` in book-shop-client')
    expect(existsSync(join(cwd, 'book-shop-client/src/services/book.ts'))).toBe(true)
    expect((await client()).stderr).toMatch(/^book-shop-client is up to date$/m)
  })

  it('writes it to --output, in the selected language', async () => {
    expect((await client('--language', 'typescript', '-o', 'deep/down')).status).toBe(0)
    await client()
    expect(treeOf(join(cwd, 'deep/down'))).toEqual(treeOf(join(cwd, 'book-shop-client')))
    expect((await client('--language', 'go')).status).toBe(2)
  })

  it('updates the package after the definition has changed', async () => {
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

  it("keeps the user's files when the definition changes", async () => {
    await client()
    const own = join(cwd, 'book-shop-client/src/services/cache.ts')
    writeFileSync(own, '// mine\n')
    writeFileSync(join(cwd, 'shop.portico'), DEFINITION.replace('Book:', 'Novel:'))
    expect((await client()).status).toBe(0)
    expect(readFileSync(own, 'utf8')).toBe('// mine\n')
  })

  it('shows the changes without writing them', async () => {
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
    expect(stderr).toContain('book-shop-client is not up to date. Run `portico client`')
    expect((await client('--diff')).stdout).toMatch(/^-\s+.*title.*\n(?:.*\n)*?\+.*name/m)
    expect(treeOf(join(cwd, 'book-shop-client'))).toEqual(before)
  })

  it('overwrites files that were edited by hand only with --overwrite', async () => {
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

  it('rejects the directory of a project, and `generate` that of a client', async () => {
    await run(['generate', 'shop.portico'], { cwd })
    const before = treeOf(join(cwd, 'book-shop'))
    const refused = await client('-o', 'book-shop')
    expect(refused.status).toBe(3)
    expect(refused.stderr).toContain(
      'book-shop contains a project, not a client\nhelp: choose another directory',
    )
    expect(treeOf(join(cwd, 'book-shop'))).toEqual(before)

    await client()
    const other = await run(['generate', 'shop.portico', '-o', 'book-shop-client'], { cwd })
    expect(other.status).toBe(3)
    expect(other.stderr).toContain('book-shop-client contains a client, not a project')
  })

  it('reports an invalid definition and writes nothing', async () => {
    writeFileSync(join(cwd, 'shop.portico'), 'Shop: project {} Item: service { a: nothing; }')
    expect((await client()).status).toBe(1)
    expect(existsSync(join(cwd, 'shop-client'))).toBe(false)
  })
})
