import { expect, it } from 'vitest'
import { TEXT_MERGES } from '../../src/output/go-mod.ts'

const { recorded, merge } = TEXT_MERGES['go.mod']
const sums = TEXT_MERGES['go.sum']

const file = (...requirements: readonly string[]) =>
  `module example.com/shop\n\ngo 1.26.0\n\nrequire (\n${requirements.map((each) => `\t${each}\n`).join('')})\n`
const BASE = file('example.com/a v1.0.0', 'example.com/b/v5 v5.1.0', 'example.com/old v0.1.0')

it('follows what is generated, and keeps what the user added or changed', () => {
  const theirs = `module example.com/shop

go 1.26.0

tool example.com/tool

require example.com/mine v1.2.3

require (
	example.com/a v1.0.0
	example.com/b/v5 v5.2.0
	example.com/old v0.1.0
)
`
  const ours = file('example.com/a v1.1.0', 'example.com/b/v5 v5.1.1', 'example.com/new v0.2.0 // indirect')
  expect(merge(recorded(BASE), theirs, ours)).toBe(`module example.com/shop

go 1.26.0

tool example.com/tool

require (
	example.com/a v1.1.0
	example.com/b/v5 v5.2.0
	example.com/mine v1.2.3
)

require (
	example.com/new v0.2.0 // indirect
)
`)
})

it('leaves a file as it is that needs nothing', () => {
  const theirs = `// Mine.\n${BASE}\nreplace example.com/a => ../a\n`
  expect(merge(recorded(BASE), theirs, BASE)).toBe(theirs)
})

it('adds again what the user removed', () => {
  const theirs = file('example.com/a v1.0.0')
  expect(recorded(merge(recorded(BASE), theirs, BASE))).toEqual(recorded(BASE))
})

it('adds sums', () => {
  expect(sums.merge({}, 'b v1 h1:2=\nmine v1 h1:3=\n', 'a v1 h1:1=\nb v1 h1:2=\n')).toBe(
    'a v1 h1:1=\nb v1 h1:2=\nmine v1 h1:3=\n',
  )
  expect(sums.merge({}, 'b v1 h1:2=\na v1 h1:1=\n', 'a v1 h1:1=\n')).toBe('b v1 h1:2=\na v1 h1:1=\n')
})
