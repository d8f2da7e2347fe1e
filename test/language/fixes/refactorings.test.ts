import { describe, expect, test } from 'vitest'
import { applyEdits } from '../../../src/language/fixes/edits.ts'
import { refactoringsOf } from '../../../src/language/fixes/refactor/refactorings.ts'
import { checkText, readText } from '../../../src/language/parse.ts'

/** The text without its marks, and each refactoring of what is between them with its outcome. */
function refactored(marked: string): Record<string, string> {
  const [before = '', selected = '', after] = marked.split('‸')
  const text = after === undefined ? before + selected : before + selected + after
  const end = before.length + (after === undefined ? 0 : selected.length)
  const made = refactoringsOf(readText(text), { start: before.length, end })
  return Object.fromEntries(made.map(({ title, edits }) => [title, applyEdits(text, edits)]))
}

function errorsOf(text: string): string[] {
  const { diagnostics } = checkText(text)
  return diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message)
}

const ADDRESS = `Stays: project {}
Home: service {
  /// The street and number.
  ‸street: string(80);
  city: string(80)‸; // or village
  beds: int(40, 1);
}
`

describe('refactorings', () => {
  test('extract a struct from the selected attributes', () => {
    const { 'Extract 2 attributes to a struct': made = '' } = refactored(ADDRESS)
    expect(made).toMatchInlineSnapshot(`
      "Stays: project {}
      Home: service {
        beds: int(40, 1);
        Details: struct {
          /// The street and number.
          street: string(80);
          city: string(80); // or village
        }
      }
      "
    `)
    expect(errorsOf(made)).toEqual([])
  })

  test('extract nothing without a selected attribute', () => {
    expect(Object.keys(refactored('P: project {}\nS: service { ‸Photo: struct {}‸ a: int; }\n'))).toEqual([])
    expect(Object.keys(refactored('P: project {}\nS: service { a‸: S; }\n'))).toEqual([])
  })

  test('extract nothing that would be invalid', () => {
    const offered = (marked: string): string[] =>
      Object.keys(refactored(marked)).filter((title) => title.startsWith('Extract'))
    for (const list of ['#enumerable(sort: [name]);', '#enumerable(filter: [name]);', '#unique[name, size];'])
      expect(offered(`P: project {}\nS: service { ‸name: string(80)‸; size: int; ${list} }\n`)).not.toContain(
        'Extract `name` to a struct',
      )
    expect(offered('P: project {}\nS: service { op‸en: bool = true; }\n')).toEqual([])
  })

  test('turn an attribute into a reference to a new service', () => {
    const { 'Extract `city` to service `City`': made = '' } = refactored(
      'P: project {}\nS: service {\n  ci‸ty: string(80, 1) @unique;\n}\n',
    )
    expect(made).toMatchInlineSnapshot(`
      "P: project {}
      S: service {
        city: City @unique;
      }

      City: service {
        value: string(80, 1);
      }
      "
    `)
    expect(errorsOf(made)).toEqual([])
    const names = ['post_code', 'straße', '名'].map((name) =>
      Object.keys(refactored(`P: project {}\nS: service { ${name}‸: int; }\n`)).filter((title) =>
        title.includes('to service'),
      ),
    )
    expect(names).toEqual([['Extract `post_code` to service `PostCode`'], [], []])
  })

  test('add and remove names of arguments', () => {
    const named = 'P: project {}\nS: service { beds: int(max: 40, min: 1, precision: 2); }\n'
    const positional = 'P: project {}\nS: service { beds: int(40, 1, 2); }\n'
    expect(refactored(named.replace('beds', 'be‸ds'))['Convert to positional arguments']).toBe(positional)
    expect(refactored(positional.replace('beds', 'be‸ds'))['Convert to named arguments']).toBe(named)
    const swapped = 'P: project {}\nS: service { be‸ds: int(min: 1, max: 40); }\n'
    expect(Object.keys(refactored(swapped))).not.toContain('Convert to positional arguments')
  })

  test('name no argument whose position means nothing', () => {
    const written = 'P: project {}\nS: service { a: dec‸imal(10, 2); }\n'
    expect(Object.keys(refactored(written))).not.toContain('Convert to named arguments')
  })

  test('sort the metadata of a block and move nothing else', () => {
    const { 'Sort metadata of `S`': made = '' } = refactored(
      'P: project {}\nS‸: service {\n  #uses[T]; // calls\n  a: int;\n  #omit[delete];\n  /* list */ #enumerable;\n}\nT: service {}\n',
    )
    expect(made).toMatchInlineSnapshot(`
      "P: project {}
      S: service {
        /* list */ #enumerable;
        a: int;
        #omit[delete];
        #uses[T]; // calls
      }
      T: service {}
      "
    `)
    expect(errorsOf(made)).toEqual([])
    expect(refactored(made.replace('S:', 'S‸:'))).toEqual({})
  })
})
