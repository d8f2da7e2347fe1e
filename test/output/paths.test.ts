import { join, resolve, sep } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkPaths, foldCase, isSafePath } from '../../src/output/paths.ts'

describe('a path', () => {
  it.each([
    'README.md',
    '.gitignore',
    'home/src/main.ts',
    'home/.dockerignore',
    'a..b/c',
    'homé/日本.ts',
    'home/.portico/x',
  ])('may be %s', (path) => {
    expect(isSafePath(path)).toBe(true)
  })

  it.each([
    '',
    '/etc/passwd',
    '../x',
    'home/../../x',
    'home/./x',
    'home//x',
    'home/',
    'C:/x',
    'home\\..\\x',
    'home/\u0000',
    'home\nx',
    'home/x\u009b31m',
    'home/a\u202eb',
    'home./x',
    'home /x',
    '.../x',
    'home/\ud800',
    `home/${'x'.repeat(256)}`,
    '.portico/manifest.json',
    '.Portico/x',
    '.PORTICO',
    '.git/hooks/post-commit',
    '.GIT/config',
  ])('may not be %j', (path) => {
    expect(isSafePath(path)).toBe(false)
    expect(() => checkPaths([path])).toThrow('is not allowed')
  })

  it('stays below its directory, whatever it contains', () => {
    const segment = fc.oneof(fc.string(), fc.constantFrom('..', '.', '', '.portico', 'home', 'C:', '\\', '~'))
    const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('/'))
    fc.assert(
      fc.property(path, (text) => {
        if (!isSafePath(text)) return
        const root = resolve('/output')
        expect(resolve(root, text).startsWith(`${root}${sep}`)).toBe(true)
        expect(resolve(root, text)).toBe(join(root, text))
        expect(foldCase(text.split('/')[0] ?? '')).not.toBe('.portico')
      }),
      { numRuns: 2000 },
    )
  })
})

describe('paths', () => {
  it.each([
    [['a', 'a']],
    [['home/main.ts', 'home/Main.ts']],
    [['stra\u00dfe', 'STRASSE']],
    [['caf\u00e9', 'cafe\u0301']],
  ])('may not collide: %j', (paths) => {
    expect(() => checkPaths(paths)).toThrow(/^Two generated files are called `.*`$/)
  })

  it('can be in the same directory', () => {
    expect(() => checkPaths(['home/a.ts', 'home/b.ts', 'home-owner/a.ts', 'homea.ts'])).not.toThrow()
  })
})
