import { describe, expect, test } from 'vitest'
import { documentationOf } from '../../src/language/documentation.ts'
import { isService } from '../../src/language/generated/ast.ts'
import { checkText } from '../../src/language/parse.ts'

function documentation(text: string): string {
  const [block] = checkText(text).ast.members
  return block === undefined ? 'no block' : documentationOf(block)
}

function attributeDocumentation(before: string): string {
  const [block] = checkText(`S: service {\na: int;${before}b: int; }`).ast.members.filter(isService)
  const attribute = block?.members[1]
  return attribute === undefined ? 'no attribute' : documentationOf(attribute)
}

describe('documentation', () => {
  test.each([
    ['/// One.\nS: service {}', 'One.'],
    ['/// One.\n///  - two\r\n///three  \nS: service {}', 'One.\n - two\nthree'],
    ['/// One.\n\n///\n/// Two.\n\nS: service {}', 'One.\n\nTwo.'],
    ['/** One. */ S: service {}', 'One.'],
    ['/**\n * One.\n *   two\n\n   three\n */\nS: service {}', 'One.\n  two\n\nthree'],
    ['/** One. */ /** Two. */ S: service {}', 'Two.'],
    ['/** One. */ /// Two.\nS: service {}', 'Two.'],
    ['/// One.\n// no\n/// Two.\nS: service {}', 'One.\nTwo.'],
    ['/// One.\n/* no */ S: service {}', 'One.'],
    ['// no\nS: service {}', ''],
    ['//// no\nS: service {}', ''],
    ['/*** no ***/ /***/ /**/ S: service {}', ''],
    ['///\nS: service {}', ''],
    ['/** */ S: service {}', ''],
    ['\ufeff/// One.\nS: service {}', 'One.'],
    ['/// a\0b\ud800\u009b\nS: service {}', 'ab\ufffd'],
  ])('%j', (text, expected) => {
    expect(documentation(text)).toBe(expected)
  })

  test('of an attribute: directly before it, and not after another attribute on its line', () => {
    expect(attributeDocumentation('\n/// B.\n')).toBe('B.')
    expect(attributeDocumentation(' /// A, rather.\n')).toBe('')
    expect(attributeDocumentation(' /// A, rather.\n/// B.\n')).toBe('B.')
    expect(attributeDocumentation(' /** B. */ ')).toBe('B.')
    expect(attributeDocumentation('\n')).toBe('')
  })
})
