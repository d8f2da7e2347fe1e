import { expect, it } from 'vitest'
import { isCompatibleUpgrade } from '../../src/output/versions.ts'

it('orders versions as semver does', () => {
  const ascending = [
    'v0.0.0-20240102030405-abcdef012345',
    'v0.0.0-20250102030405-abcdef012345',
    'v0.1.0-alpha',
    'v0.1.0-alpha.1',
    'v0.1.0-alpha.beta',
    'v0.1.0-beta.2',
    'v0.1.0-beta.11',
    'v0.1.0',
    'v0.2.0',
    'v0.10.0',
  ]
  for (const [index, version] of ascending.entries())
    for (const [position, other] of ascending.entries())
      expect(isCompatibleUpgrade(version, other), `${version} ${other}`).toBe(index >= position)
})

it('compares only versions of the same major version', () => {
  expect(isCompatibleUpgrade('2.0.0', '1.9.9')).toBe(false)
  expect(isCompatibleUpgrade('^1.10.0', '1.9.9')).toBe(true)
  for (const text of ['', '*', '1', '1.x', 'latest', '>=1.9.9', 'file:../a'])
    expect(isCompatibleUpgrade(text, '1.0.0'), text).toBe(false)
})
