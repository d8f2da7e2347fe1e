import { describe, expect, it } from 'vitest'
import { colorsFor } from '../../src/cli/colors.ts'
import { escapeControls, stripEscapes } from '../../src/cli/terminal-text.ts'

const { bold, cyan, dim, green, red, yellow } = colorsFor('always', undefined, {})

describe('escapeControls', () => {
  it.each([
    '\u0000',
    '\u0007',
    '\r',
    '\u001b',
    '\u007f',
    '\u0085',
    '\u009b',
    '\u061c',
    '\u200e',
    '\u200f',
    '\u202a',
    '\u202e',
    '\u2066',
    '\u2069',
  ])('escapes %j as JSON does', (character) => {
    const escaped = escapeControls(`a${character}b`, true)
    expect(escaped).toMatch(/^a\\u[0-9a-f]{4}b$/)
    expect(JSON.parse(`"${escaped}"`)).toBe(`a${character}b`)
  })

  it('keeps tabs, line feeds, other scripts and emoji', () => {
    const text = 'a\tb\nשלום 日本 👩‍💻'
    expect(escapeControls(text, true)).toBe(text)
  })

  it.each([bold, cyan, dim, green, red, yellow])('keeps the styles of Portico, if it uses any', (style) => {
    const styled = bold(`${style('a')}b`)
    expect(escapeControls(styled, true)).toBe(styled)
    expect(escapeControls(styled, false)).not.toContain('\u001b')
  })

  it.each(['\u001b[2J', '\u001b[8m', '\u001b[31;8m', '\u001b]0;title\u0007', '\u001b\u001b[1A'])(
    'keeps no other sequence: %j',
    (sequence) => {
      expect(escapeControls(sequence, true)).not.toContain('\u001b')
    },
  )
})

it('stripEscapes leaves nothing that looks like a style', () => {
  expect(stripEscapes('a\u001b[31mb\u001b\u001b[1m[31m')).toBe('ab\\u001b[31m')
})
