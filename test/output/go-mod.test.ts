import { expect, it } from 'vitest'
import { TEXT_MERGES } from '../../src/output/go-mod.ts'
import { updateProject } from '../../src/output/update-project.ts'
import { expectError, expectValue, TestDirectory } from './project.ts'

const { recorded, merge } = TEXT_MERGES['go.mod']
const sums = TEXT_MERGES['go.sum']

const file = (...requirements: readonly string[]) =>
  `module example.com/shop\n\ngo 1.26.0\n\nrequire (\n${requirements.map((each) => `\t${each}\n`).join('')})\n`
const BASE = file('example.com/a v1.0.0', 'example.com/b/v5 v5.1.0', 'example.com/old v0.1.0')

function textOf(theirs: string, ours: string): string {
  return merge(recorded(BASE), theirs, ours).text
}

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
  expect(textOf(theirs, ours)).toBe(`module example.com/shop

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
  expect(textOf(theirs, BASE)).toBe(theirs)
})

it('adds again what the user removed', () => {
  const theirs = file('example.com/a v1.0.0')
  expect(recorded(textOf(theirs, BASE))).toEqual(recorded(BASE))
})

it('keeps a newer version until the generated one is newer, and reports older ones and other major versions', () => {
  const [a, b] = ['example.com/a', 'example.com/b/v5']
  const merged = (theirs: readonly string[], ours: readonly string[]) => {
    const { text, edited } = merge(
      recorded(file(`${a} v1.0.0`, `${b} v5.1.0`)),
      file(...theirs),
      file(...ours),
    )
    return { ...recorded(text), edited }
  }
  expect(merged([`${a} v1.2.0`, `${b} v5.1.0 // indirect`], [`${a} v1.1.0`, `${b} v5.2.0`])).toEqual({
    require: { [a]: 'v1.2.0', [b]: 'v5.2.0 // indirect' },
    edited: [],
  })
  expect(merged([`${a} v1.0.5`, `${b} v5.1.0`], [`${a} v1.1.0`, `${b} v5.1.0`])).toEqual({
    require: { [a]: 'v1.1.0', [b]: 'v5.1.0' },
    edited: [],
  })
  expect(merged([`${a} v0.9.0`, `${b} v5.0.0`], [`${a} v1.0.0`, `${b} v5.1.0`])).toEqual({
    require: { [a]: 'v1.0.0', [b]: 'v5.1.0' },
    edited: [`${a} v0.9.0 instead of v1.0.0`, `${b} v5.0.0 instead of v5.1.0`],
  })
})

it('is a conflict with an older version, which --overwrite resets', async () => {
  using directory = new TestDirectory()
  const content = file('example.com/a v1.0.0')
  const generated = { path: 'go.mod', content, owner: 'shared', format: 'go.mod' } as const
  const generation = { files: [generated], answers: {}, definition: undefined }
  expectValue(await updateProject(directory.path, generation))
  directory.write('go.mod', file('example.com/a v0.9.0', 'example.com/mine v1.0.0'))
  expect(expectError(await updateProject(directory.path, generation)).message).toContain(
    '  go.mod (edited by hand: example.com/a v0.9.0 instead of v1.0.0)',
  )
  expectValue(await updateProject(directory.path, generation, { overwrite: true }))
  expect(directory.read('go.mod')).toBe(file('example.com/a v1.0.0', 'example.com/mine v1.0.0'))
})

it('adds sums', () => {
  expect(sums.merge({}, 'b v1 h1:2=\nmine v1 h1:3=\n', 'a v1 h1:1=\nb v1 h1:2=\n').text).toBe(
    'a v1 h1:1=\nb v1 h1:2=\nmine v1 h1:3=\n',
  )
  expect(sums.merge({}, 'b v1 h1:2=\na v1 h1:1=\n', 'a v1 h1:1=\n').text).toBe('b v1 h1:2=\na v1 h1:1=\n')
})
