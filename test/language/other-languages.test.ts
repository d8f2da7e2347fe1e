import { expect, test } from 'vitest'
import { checkText } from '../../src/language/parse.ts'
import { brief } from '../host.ts'
import { inService, MISTAKES } from './mistakes.ts'

test('each mistake has one diagnostic, which says what to write instead', () => {
  const found = MISTAKES.map((text) => {
    const { diagnostics } = checkText(text)
    return {
      text,
      count: diagnostics.length,
      says: diagnostics.filter(({ help, data }) => help !== undefined || data !== undefined).length,
    }
  })
  expect(found.filter(({ count, says }) => count !== 1 || says !== 1)).toEqual([])
})

test('a text in quotes is replaced by its content only where that can be valid', () => {
  const replacements = ['a: "string";', 'a: "open" | "closed";', 'a: string @map("b");'].map(
    (line) => checkText(inService(line)).diagnostics[0]?.data?.replacement,
  )
  expect(replacements).toEqual(['string', undefined, undefined])
})

test('what is said about these mistakes, and where', async () => {
  const reports = MISTAKES.map((text) => brief(text))
  await expect(`${reports.join('\n')}\n`).toMatchFileSnapshot('other-languages.txt')
})
