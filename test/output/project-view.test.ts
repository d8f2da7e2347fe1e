import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { digest } from '../../src/output/project-view.ts'

it('is SHA-256', () => {
  expect(digest('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

it('counts CRLF as LF, and nothing else', () => {
  expect(digest('a\r\nb\r\n')).toBe(digest('a\nb\n'))
  for (const other of ['a\rb\n', 'a\n\nb\n', 'a\r\r\nb\n', 'ab\n', 'a\nb\r'])
    expect(digest(other), JSON.stringify(other)).not.toBe(digest('a\nb\n'))
})

it('equals the digest of the text with LF, for any bytes', () => {
  const bytes = fc.array(fc.constantFrom(0x0d, 0x0a, 0x61, 0xff), { maxLength: 40 })
  fc.assert(
    fc.property(bytes, (content) => {
      const latin = Buffer.from(content).toString('latin1').replaceAll('\r\n', '\n')
      const expected = createHash('sha256').update(Buffer.from(latin, 'latin1')).digest('hex')
      expect(digest(Buffer.from(content))).toBe(expected)
    }),
  )
})
