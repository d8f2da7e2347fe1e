import { join, resolve, sep } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkPaths, foldCase, unsafeReason } from '../../src/output/paths.ts'
import { expectProblem } from './project.ts'

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
    expect(unsafeReason(path)).toBeUndefined()
  })

  it.each([
    ['', 'is empty'],
    ['/etc/passwd', 'is absolute'],
    ['../x', 'leads out of its directory'],
    ['home/../../x', 'leads out of its directory'],
    ['home/./x', 'leads out of its directory'],
    ['home//x', 'has an empty segment'],
    ['home/', 'has an empty segment'],
    ['C:/x', 'holds a character that file names cannot have'],
    ['home\\..\\x', 'holds a character that file names cannot have'],
    ['home/\u0000', 'holds a character that file names cannot have'],
    ['home\nx', 'holds a character that file names cannot have'],
    ['home./x', 'has a segment that ends in a dot or space'],
    ['home /x', 'has a segment that ends in a dot or space'],
    ['.../x', 'has a segment that ends in a dot or space'],
    ['home/\ud800', 'is not well-formed Unicode'],
    [`home/${'x'.repeat(256)}`, 'is too long'],
    ['.portico/manifest.json', 'is reserved'],
    ['.Portico/x', 'is reserved'],
    ['.PORTICO', 'is reserved'],
    ['.git/hooks/post-commit', 'is reserved'],
    ['.GIT/config', 'is reserved'],
  ])('may not be %j: %s', (path, reason) => {
    expect(unsafeReason(path)).toBe(reason)
    expect(expectProblem(checkPaths([path])).code).toBe('path')
  })

  it('stays below its directory, whatever it is', () => {
    const segment = fc.oneof(fc.string(), fc.constantFrom('..', '.', '', '.portico', 'home', 'C:', '\\', '~'))
    const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('/'))
    fc.assert(
      fc.property(path, (text) => {
        if (unsafeReason(text) !== undefined) return
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
    [['home/a.ts', 'Home/b.ts']],
    [['home', 'home/a.ts']],
    [['home/a.ts', 'home']],
    [['HOME', 'home/a.ts']],
    [['stra\u00dfe', 'STRASSE']],
    [['caf\u00e9', 'cafe\u0301']],
  ])('may not meet: %j', (paths) => {
    expect(expectProblem(checkPaths(paths)).message).toMatch(/^Two generated files meet at /)
  })

  it('may lie beside each other', () => {
    expect(checkPaths(['home/a.ts', 'home/b.ts', 'home-owner/a.ts', 'homea.ts']).ok).toBe(true)
  })
})
