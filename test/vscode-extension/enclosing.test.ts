import { expect, test } from 'vitest'
import { enclosing } from '../../vscode-extension/src/diagram/enclosing.ts'

const TEXT = `Shop: project {}
Home: service {
  // no end: }
  name: string;
  Photo: struct { image: data; }
  size: int;
}
Host: service {`

const DECLARATIONS = ['Home', 'Photo', 'Host'].map((name) => ({ name, offset: TEXT.indexOf(`${name}:`) }))

test.each([
  ['project', undefined],
  ['name:', 'Home'],
  ['image', 'Photo'],
  ['size', 'Home'],
  ['Host: service {', 'Host'],
])('the cursor in `%s` is in %s', (place, name) => {
  expect(enclosing(TEXT, TEXT.indexOf(place), DECLARATIONS)).toBe(name)
})
