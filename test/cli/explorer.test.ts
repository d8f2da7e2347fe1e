import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bundleExplorer } from '../../scripts/bundle-explorer.mjs'
import { BUILT_EXPLORER } from '../../src/dev/explorer/assets.ts'
import { run, temporaryDirectory } from './harness.ts'

const ROOT = join(import.meta.dirname, '../..')
const DEFINITION = 'BookShop: project {} Book: service { title: string(200); }'

let cwd = ''

beforeAll(async () => {
  const built = fileURLToPath(BUILT_EXPLORER)
  if (!existsSync(join(built, 'index.html'))) await bundleExplorer(ROOT, built)
}, 60_000)

beforeEach(() => {
  cwd = temporaryDirectory()
  writeFileSync(join(cwd, 'shop.portico'), DEFINITION)
})

function portico(...args: string[]) {
  return run(args, { cwd })
}

describe('portico explorer', () => {
  it('writes a package that serves the page next to a deployment, and updates it', async () => {
    const { status, stdout, stderr } = await portico('explorer', 'shop.portico')
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
    expect(stderr).toMatch(/^Wrote \d+ files to book-shop-explorer$/m)
    expect(stderr).toContain('run `docker compose up --detach --build` in book-shop-explorer')
    const pages = JSON.parse(readFileSync(join(cwd, 'book-shop-explorer/pages.json'), 'utf8')) as Record<
      string,
      { readonly file: string }
    >
    for (const { file } of Object.values(pages))
      expect(existsSync(join(cwd, 'book-shop-explorer', file)), file).toBe(true)
    expect(Object.keys(pages)).toContain('/_explorer/reference.js')
    const licenses = readFileSync(join(cwd, 'book-shop-explorer/page/THIRD-PARTY-LICENSES.txt'), 'utf8')
    expect(licenses).toMatch(/^@scalar\/api-reference .*\(MIT\)$/m)

    writeFileSync(join(cwd, 'shop.portico'), DEFINITION.replace('Book:', 'Novel:'))
    expect((await portico('explorer', 'shop.portico', '--check')).status).toBe(1)
    await portico('explorer', 'shop.portico')
    expect(readFileSync(join(cwd, 'book-shop-explorer/page/platform.json'), 'utf8')).toContain('"/api/novel"')
  })

  it('rejects the directory of another kind of output, and other commands reject its own', async () => {
    await portico('explorer', 'shop.portico')
    await portico('client', 'shop.portico')
    for (const [command, directory] of [
      ['generate', 'book-shop-explorer'],
      ['client', 'book-shop-explorer'],
      ['explorer', 'book-shop-client'],
    ] as const) {
      const { status, stderr } = await portico(command, 'shop.portico', '-o', directory)
      expect([command, status]).toEqual([command, 3])
      expect(stderr).toContain(`${directory} contains a`)
    }
  })
})
