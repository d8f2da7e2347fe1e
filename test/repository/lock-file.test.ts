import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface Entry {
  readonly resolved?: string
  readonly integrity?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const text = readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')
const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, Entry>> }

test('the lock file has the packages of every system, so that `npm ci` works on each', () => {
  const names = new Set(
    Object.keys(packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 13)),
  )
  const missing = Object.values(packages)
    .flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
    .filter((name) => !names.has(name))
  expect(missing).toEqual([])
})

test('every package has its integrity in the lock file', () => {
  const unchecked = Object.entries(packages).filter(
    ([path, { integrity }]) => path !== '' && integrity === undefined,
  )
  expect(unchecked).toEqual([])
})

test('the lock file names no registry but the public one', () => {
  const elsewhere = Object.values(packages)
    .map((entry) => entry.resolved)
    .filter((url) => url !== undefined && !url.startsWith('https://registry.npmjs.org/'))
  expect(elsewhere).toEqual([])
})
