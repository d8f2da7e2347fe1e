import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

interface Configuration {
  readonly wordPattern: { readonly pattern: string; readonly flags: string }
  readonly indentationRules: Readonly<Record<'increaseIndentPattern' | 'decreaseIndentPattern', string>>
  readonly onEnterRules: readonly {
    readonly beforeText: string
    readonly afterText?: string
    readonly previousLineText?: string
    readonly action: { readonly indent: string; readonly appendText?: string; readonly removeText?: number }
  }[]
}

const FILE = new URL('../../vscode-extension/language-configuration.json', import.meta.url)
const configuration = JSON.parse(readFileSync(FILE, 'utf8')) as Configuration

/** Returns the text that Enter adds between two parts of a line. VS Code uses the first rule that matches. */
function onEnter(before: string, after = '', previous = ''): string | undefined {
  return configuration.onEnterRules.find(
    (rule) =>
      new RegExp(rule.beforeText).test(before) &&
      (rule.afterText === undefined || new RegExp(rule.afterText).test(after)) &&
      (rule.previousLineText === undefined || new RegExp(rule.previousLineText).test(previous)),
  )?.action.appendText
}

describe('Enter continues documentation', () => {
  test.each([
    ['/// A home.', '/// '],
    ['  /// A home.', '/// '],
    ['  /**', ' * '],
    ['  /** A home', ' * '],
  ])('after `%s`', (before, added) => {
    expect(onEnter(before)).toBe(added)
  })

  test('in the middle of a block', () => {
    expect(onEnter('   * A home', '', '  /**')).toBe('* ')
  })

  test.each(['// A note', '//// A rule', '///', '  name: string; // text', '/* A note'])(
    'but not after `%s`',
    (before) => {
      expect(onEnter(before)).toBeUndefined()
    },
  )
})

test('a line after an opening bracket is indented', () => {
  const more = new RegExp(configuration.indentationRules.increaseIndentPattern)
  const less = new RegExp(configuration.indentationRules.decreaseIndentPattern)
  expect(
    ['Home: service {', '  Photo: struct { // pictures', '  #omit['].every((line) => more.test(line)),
  ).toBe(true)
  expect(['// {', '  name: string;', 'Shop: project {}', ' * {'].some((line) => more.test(line))).toBe(false)
  expect(less.test('  }')).toBe(true)
  expect(less.test('  name: string; }')).toBe(false)
})

test('a word is a name or a number', () => {
  const { pattern, flags } = configuration.wordPattern
  const words = 'größe-2: int(-5M, 1.5e6) @serverSet'.match(new RegExp(pattern, `g${flags}`))
  expect(words).toEqual(['größe-2', 'int', '-5M', '1.5e6', 'serverSet'])
})
