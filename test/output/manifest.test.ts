import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatManifest, parseManifest, type Manifest, type ManifestFile } from '../../src/output/manifest.ts'
import { isSafePath } from '../../src/output/paths.ts'
import { OutputError } from '../../src/output/result.ts'
import { readManifest, updateProject } from '../../src/output/update-project.ts'
import { expectError, expectValue, generation, TestDirectory } from './project.ts'

const SHA = 'a'.repeat(64)

describe('a manifest', () => {
  it('is read as it was written', () => {
    const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)))
    const content = fc.dictionary(fc.string(), json).map((value) => JSON.parse(JSON.stringify(value)))
    const file = fc.record(
      {
        owner: fc.constantFrom('generated', 'user', 'shared'),
        sha256: fc.constant(SHA),
        content,
      },
      { requiredKeys: ['owner', 'sha256'] },
    )
    const path = fc.string({ minLength: 1 }).filter((text) => isSafePath(text))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(path, file)),
        fc.dictionary(fc.string(), fc.string()),
        fc.string(),
        (files, answers, definition) => {
          const manifest = {
            files: new Map(files as [string, ManifestFile][]),
            answers: { ...answers },
            definition,
          }
          expect(parseManifest(formatManifest(manifest), 'm')).toEqual(manifest)
        },
      ),
    )
  })

  it('is the same text in any order', () => {
    const file = (owner: ManifestFile['owner']): ManifestFile => ({ owner, sha256: SHA })
    const manifest = (paths: string[], answers: Record<string, string>): Manifest => ({
      files: new Map(paths.map((path) => [path, file('generated')])),
      answers,
      definition: undefined,
    })
    expect(formatManifest(manifest(['b', 'a/c', 'a'], { x: '1', a: '2' }))).toBe(
      formatManifest(manifest(['a', 'b', 'a/c'], { a: '2', x: '1' })),
    )
  })

  it.each([
    ['', 'not a JSON object'],
    ['HEAD\n{}', 'not a JSON object'],
    ['[]', 'not a JSON object'],
    ['{}', 'missing `version`'],
    ['{"version":"1"}', 'missing `version`'],
    ['{"version":0}', 'unknown version 0'],
    ['{"version":1}', '`answers` must be an object of strings'],
    ['{"version":1,"answers":{"module":1}}', '`answers` must be an object of strings'],
    ['{"version":1,"answers":{}}', '`files` must be an object'],
    ['{"version":1,"answers":{},"files":{"a":1}}', 'invalid entry for "a"'],
    [`{"version":1,"answers":{},"files":{"a":{"owner":"me","sha256":"${SHA}"}}}`, 'invalid entry for "a"'],
    ['{"version":1,"answers":{},"files":{"a":{"owner":"user","sha256":"x"}}}', 'invalid entry for "a"'],
    [
      `{"version":1,"answers":{},"files":{"../a":{"owner":"generated","sha256":"${SHA}"}}}`,
      'the path "../a" is not allowed',
    ],
    [
      `{"version":1,"answers":{},"files":{"/etc/passwd":{"owner":"generated","sha256":"${SHA}"}}}`,
      'the path "/etc/passwd" is not allowed',
    ],
  ])('%j stops everything: %s', async (text, reason) => {
    using directory = new TestDirectory()
    directory.write('.portico/manifest.json', text)
    directory.write('README.md', 'mine')
    const left = directory.tree()
    const error = expectError(
      await updateProject(directory.path, generation({ 'README.md': 'new' }), { overwrite: true }),
    )
    expect(error.code).toBe('manifest')
    expect(error.message).toBe(
      `The manifest \`${directory.path}/.portico/manifest.json\` is damaged: ${reason}. Nothing was changed.`,
    )
    expect(directory.tree()).toEqual(left)
  })

  it('with a merge conflict says how to go on', () => {
    using directory = new TestDirectory()
    directory.write('.portico/manifest.json', '{\n<<<<<<< HEAD\n=======\n>>>>>>> other\n}\n')
    expect(expectError(readManifest(directory.path))).toMatchObject({
      message: `The manifest \`${directory.path}/.portico/manifest.json\` contains a merge conflict. Nothing was changed.`,
      help: 'take the version of either branch, such as with `git checkout --ours`, and run `portico generate --overwrite`',
    })
  })

  it('of a newer version stops everything', () => {
    using directory = new TestDirectory()
    directory.write('.portico/manifest.json', '{"version":2,"files":[]}')
    expect(expectError(readManifest(directory.path))).toMatchObject({
      code: 'manifest',
      message: `The manifest \`${directory.path}/.portico/manifest.json\` was written by a newer version of Portico. Nothing was changed.`,
      help: 'update Portico',
    })
  })

  it('is read or rejected, whatever it contains', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        try {
          parseManifest(text, 'm')
        } catch (error) {
          expect(error).toBeInstanceOf(OutputError)
        }
      }),
    )
  })
})

it('gives the same bytes in every order of the files, without places or times', async () => {
  using one = new TestDirectory()
  using other = new TestDirectory()
  const all = generation(
    { 'b/package.json': '{"name":"b","dependencies":{"x":"1"}}\n', 'a/src/main.ts': 'a', 'README.md': 'r' },
    { answers: { module: 'example.org/x', b: '2' }, definition: 'P: project {}' },
  )
  expectValue(await updateProject(one.path, all))
  expectValue(
    await updateProject(other.path, {
      files: all.files.toReversed(),
      answers: { b: '2', module: 'example.org/x' },
      definition: 'P: project {}',
    }),
  )
  expect(one.tree()).toEqual(other.tree())
  expect(one.read('.portico/manifest.json')).not.toContain(one.path)
  expect(one.read('.portico/.gitignore')).toBe('*\n!.gitignore\n!manifest.json\n')
})
