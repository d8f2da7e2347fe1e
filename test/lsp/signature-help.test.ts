import { describe, expect, it } from 'vitest'
import { porticoServices, readText } from '../../src/language/parse.ts'
import { signatureAt } from '../../src/lsp/signature-help.ts'
import { cursorIn } from './harness.ts'

/** The label of the signature at `‸`, and in it the parameter that is being written. */
function help(marked: string): { label: string; active: string | undefined } | undefined {
  const { text, offset } = cursorIn(marked)
  const signature = signatureAt(readText(text), offset, porticoServices())
  if (signature === undefined) return undefined
  const { active, label, ranges } = signature
  return { label, active: active === undefined ? undefined : label.slice(...(ranges[active] ?? [0, 0])) }
}

const active = (type: string): string | undefined => help(`A: service { a: ${type}; }`)?.active

describe('signature help', () => {
  it('follows positional arguments', () => {
    const label = 'int(max: integer, min: integer, precision: integer)'
    expect(help('A: service { a: int(‸) }')).toEqual({ label, active: 'max: integer' })
    expect(help('A: service { a: int(1, 0‸) }')).toEqual({ label, active: 'min: integer' })
    expect(help('A: service { a: int(1, 0, ‸')).toEqual({ label, active: 'precision: integer' })
    expect(help('A: service { a: int(1, 0, 4, ‸')).toEqual({ label, active: undefined })
  })

  it('shows the values of an enum as one parameter', () => {
    const shown = { label: 'enum(value, ...)', active: 'value, ...' }
    expect(help('A: service { a: enum(‸) }')).toEqual(shown)
    expect(help('A: service { a: enum(open, 2xl, ‸')).toEqual(shown)
  })

  it('shows arguments that have to be named', () => {
    const label = 'decimal(max: decimal, min: decimal, scale: integer)'
    expect(help('A: service { a: decimal(min: 1, ‸) }')).toEqual({ label, active: 'max: decimal' })
  })

  it('follows named arguments', () => {
    expect(active('int(min: ‸)')).toBe('min: integer')
    expect(active('int(min: 1, ‸)')).toBe('max: integer')
    expect(active('int(5, precision: 1, ‸)')).toBe('min: integer')
  })

  it('stays while an argument is typed', () => {
    expect(active('int(10‸)')).toBe('max: integer')
    expect(active('int(10 ‸)')).toBe('max: integer')
    expect(active('int(10, -‸)')).toBe('min: integer')
    expect(active('int(10, mi‸')).toBe('min: integer')
    expect(active('int(‸10, 1)')).toBe('max: integer')
  })

  it('shows the values of metadata', () => {
    expect(help('A: service { #readable(‸) }')).toEqual({
      label: '#readable(by: this | all)',
      active: 'by: this | all',
    })
    expect(help('A: service { #omit[create, ‸] }')).toEqual({
      label: '#omit[endpoints]',
      active: 'endpoints',
    })
    const label = '#enumerable(filter: [...], sort: [...])'
    expect(help('A: service { #enumerable(‸) }')).toEqual({ label, active: 'filter: [...]' })
    expect(help('A: service { #enumerable(filter: [a], sort: [b, ‸]) }')).toEqual({
      label,
      active: 'sort: [...]',
    })
    expect(help('A: service { #uses[‸')).toEqual({ label: '#uses[services]', active: 'services' })
  })

  it('shows that a former name is expected', () => {
    const expected = 'oldName: name'
    const label = '@was(oldName: name, value: oldValue, ...)'
    expect(help('A: service { a: int @was(‸); }')).toEqual({ label, active: expected })
    const pair = 'value: oldValue, ...'
    expect(help('A: service { a: enum(b) @was(b: ‸c); }')).toEqual({ label, active: pair })
    const transitions = {
      label: '@transitions(value: [nextValue, ...], ...)',
      active: 'value: [nextValue, ...], ...',
    }
    expect(help('A: service { a: enum(b, c) @transitions(‸); }')).toEqual(transitions)
    expect(help('A: service { a: enum(b, c) @transitions(b: [c], c: [‸]); }')).toEqual(transitions)
    expect(help('A: service { #was(Ho‸) }')).toEqual({ label: '#was(oldName: name)', active: expected })
  })

  it('is absent elsewhere', () => {
    for (const marked of [
      'A: service { a: int‸ }',
      'A: service { a: int(1)‸ }',
      'A: service { a: bool(‸) }',
      'A: service { #auth(‸) }',
      'A: service { a: int @unique(‸) }',
      'A: service { #odd(‸) }',
      '‸',
    ])
      expect(help(marked), marked).toBeUndefined()
  })
})
