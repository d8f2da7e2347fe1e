import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '../..')
const FOLDERS = ['src', 'templates', 'scripts', 'bench', 'explorer', 'vscode-extension'] as const
/** It has a package.json of its own. */
const OWN_PACKAGE = join('bench', 'peers', 'nest')
/** An import of a package, or the last line of one. */
const IMPORT = /^(?:import |(?:import|export|\}).* from )'((?:@[\w-]+\/)?[\w-][\w.-]*)(?:\/[^']*)?'/gm
/** VS Code provides the module to extensions. */
const PROVIDED = ['vscode']

/** The packages that a file imports. */
function packagesIn(path: string): string[] {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(IMPORT)].map(([, name = '']) => name)
}

test('every imported package is in package.json', () => {
  const declared = new Set([
    ...Object.keys(manifest.dependencies),
    ...Object.keys(manifest.devDependencies),
    ...PROVIDED,
  ])
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      // boundaries.test.ts makes `boundary-*` at the same time.
      .filter(
        (name) => /\.(?:ts|tsx|mjs|mts)$/.test(name) && !/(?:^|\/)(?:node_modules|boundary-\w+)\//.test(name),
      )
      .map((name) => join(folder, name))
      .filter((path) => !path.startsWith(OWN_PACKAGE)),
  ).flatMap((path) => packagesIn(join(ROOT, path)).map((name) => ({ path, name })))
  expect(found.length).toBeGreaterThan(200)
  expect(found.filter(({ name }) => !declared.has(name))).toEqual([])
})
