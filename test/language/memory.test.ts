import { describe, expect, test } from 'vitest'
import { hundred } from '../../scripts/hundred-definition.ts'
import { CheckMemory } from '../../src/language/checks/memory.ts'
import { checkRead, checkText, readText } from '../../src/language/parse.ts'

/** Checks texts one behind the other with one memory; each must have what it has without. */
function expectSame(...texts: readonly string[]): void {
  const memory = new CheckMemory()
  for (const text of texts)
    expect(checkRead(readText(text), memory).diagnostics, text).toEqual(checkText(text).diagnostics)
}

const HOME = 'Home: service { owner: Host; #readable(by: all); #uses[Host]; }\n'
const HOST = 'Host: service { Photo: struct { image: data; } #auth; }\n'
const AUTH = 'P: project { #authMethod(email); }\n'

describe('what is remembered of an earlier text hides nothing in a later one', () => {
  test.each([
    ['a service that is referred to is gone', [AUTH + HOME + HOST, AUTH + HOME, AUTH + HOME + HOST]],
    ['it is a struct now', [AUTH + HOME + HOST, AUTH + HOME + HOST.replace('service', 'struct')]],
    ['authentication is gone', [AUTH + HOME + HOST, `P: project {}\n${HOME}${HOST}`, AUTH + HOME + HOST]],
    [
      'the project has another default',
      [AUTH + HOME + HOST, AUTH.replace(';', '; #readable(by: all);') + HOME + HOST],
    ],
    ['a block stands there twice', [AUTH + HOME + HOST, AUTH + HOME + HOST + HOST, AUTH + HOME + HOST]],
    [
      'a struct is in another service',
      [
        'P: project {}\nA: service { S: struct {} T: struct { s: S; } }\nB: service {}\n',
        'P: project {}\nA: service { T: struct { s: S; } }\nB: service { S: struct {} }\n',
      ],
    ],
    [
      'a text is broken for a while',
      [
        AUTH + HOME + HOST,
        `${AUTH}${HOME}Host: service { a: `,
        `${AUTH}X service {}\n${HOME}Home: serv`,
        AUTH + HOME + HOST,
        `${AUTH}${HOME.replace('Host', 'Hots')}${HOST}`,
      ],
    ],
    [
      'a name may have been lost to a syntax error',
      [
        `${AUTH}${HOST}Home: service { guest: Guest; }\nGuest: @;\n`,
        `${AUTH}${HOST}Home: service { guest: Guest; }\n`,
      ],
    ],
    ['a second project comes first', [AUTH + HOME + HOST, `Q: project {}\n${AUTH}${HOME}${HOST}`]],
  ])('%s', (_, texts) => expectSame(...texts))
})

test('nothing is found about the blocks of these tests at first', () => {
  expect(checkText(AUTH + HOME + HOST).diagnostics).toEqual([])
})

test('what has not changed is not checked again', () => {
  const memory = new CheckMemory()
  const text = hundred(50)
  checkRead(readText(text), memory)
  const read = readText(text.replace('Order: service {', 'Order: service { x: int;'))
  const looked: string[] = []
  for (const block of read.definition.blocks) {
    const { members } = block
    Object.defineProperty(block, 'members', {
      get: () => {
        if (new Error('who asks').stack?.includes('checkBlock') === true) looked.push(block.name)
        return members
      },
    })
  }
  checkRead(read, memory)
  expect(new Set(looked)).toEqual(new Set(['Order']))
})
