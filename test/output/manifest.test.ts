import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatManifest, parseManifest, type Manifest, type ManifestFile } from '../../src/output/manifest.ts'
import { unsafeReason } from '../../src/output/paths.ts'
import { readManifest, updateProject } from '../../src/output/update-project.ts'
import { expectProblem, expectValue, generation, TestDirectory } from './project.ts'

const SHA = 'a'.repeat(64)

describe('a manifest', () => {
  it('reads as it was written', () => {
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
    const path = fc.string({ minLength: 1 }).filter((text) => unsafeReason(text) === undefined)
    fc.assert(
      fc.property(
        fc.array(fc.tuple(path, file)),
        fc.dictionary(fc.string(), fc.string()),
        json,
        (files, answers, schema) => {
          const manifest = {
            files: new Map(files as [string, ManifestFile][]),
            answers: { ...answers },
            schema,
          }
          expect(expectValue(parseManifest(formatManifest(manifest), 'm'))).toEqual(manifest)
        },
      ),
    )
  })

  it('is the same text whatever the order', () => {
    const file = (owner: ManifestFile['owner']): ManifestFile => ({ owner, sha256: SHA })
    const manifest = (paths: string[], answers: Record<string, string>): Manifest => ({
      files: new Map(paths.map((path) => [path, file('generated')])),
      answers,
      schema: undefined,
    })
    expect(formatManifest(manifest(['b', 'a/c', 'a'], { x: '1', a: '2' }))).toBe(
      formatManifest(manifest(['a', 'b', 'a/c'], { a: '2', x: '1' })),
    )
  })

  it.each([
    ['', 'it is not a JSON object'],
    ['<<<<<<< HEAD\n{}', 'it is not a JSON object'],
    ['[]', 'it is not a JSON object'],
    ['{}', 'it has no version'],
    ['{"version":"1"}', 'it has no version'],
    ['{"version":0}', 'it has the unknown version 0'],
    ['{"version":1}', 'its answers are not texts'],
    ['{"version":1,"answers":{"module":1}}', 'its answers are not texts'],
    ['{"version":1,"answers":{}}', 'it lists no files'],
    ['{"version":1,"answers":{},"files":{"a":1}}', 'its entry for "a" makes no sense'],
    [
      `{"version":1,"answers":{},"files":{"a":{"owner":"me","sha256":"${SHA}"}}}`,
      'its entry for "a" makes no sense',
    ],
    [
      '{"version":1,"answers":{},"files":{"a":{"owner":"user","sha256":"x"}}}',
      'its entry for "a" makes no sense',
    ],
    [
      `{"version":1,"answers":{},"files":{"../a":{"owner":"generated","sha256":"${SHA}"}}}`,
      'its path "../a" leads out of its directory',
    ],
    [
      `{"version":1,"answers":{},"files":{"/etc/passwd":{"owner":"generated","sha256":"${SHA}"}}}`,
      'its path "/etc/passwd" is absolute',
    ],
  ])('%j stops everything: %s', async (text, why) => {
    using directory = new TestDirectory()
    directory.write('.portico/manifest.json', text)
    directory.write('README.md', 'mine')
    const left = directory.tree()
    const problem = expectProblem(
      await updateProject(directory.path, generation({ 'README.md': 'new' }), { overwrite: true }),
    )
    expect(problem.code).toBe('manifest')
    expect(problem.message).toBe(
      `${directory.path}/.portico/manifest.json cannot be used: ${why}. Nothing was changed.`,
    )
    expect(directory.tree()).toEqual(left)
  })

  it('of a newer version stops everything', () => {
    using directory = new TestDirectory()
    directory.write('.portico/manifest.json', '{"version":2,"files":[]}')
    expect(expectProblem(readManifest(directory.path))).toEqual({
      code: 'manifest',
      message: `${directory.path}/.portico/manifest.json was written by a newer version of Portico.`,
      advice: 'Generate with that version; nothing was changed.',
    })
  })

  it('never throws, whatever it holds', () => {
    fc.assert(fc.property(fc.oneof(fc.json(), fc.string()), (text) => void parseManifest(text, 'm')))
  })
})

it('gives the same bytes in every order of the files, without places or times', async () => {
  using one = new TestDirectory()
  using other = new TestDirectory()
  const all = generation(
    { 'b/package.json': '{"name":"b","dependencies":{"x":"1"}}\n', 'a/src/main.ts': 'a', 'README.md': 'r' },
    { answers: { module: 'example.org/x', b: '2' }, schema: { databases: [{ z: 1, a: 2 }] } },
  )
  expectValue(await updateProject(one.path, all))
  expectValue(
    await updateProject(other.path, {
      files: all.files.toReversed(),
      answers: { b: '2', module: 'example.org/x' },
      schema: { databases: [{ a: 2, z: 1 }] },
    }),
  )
  expect(one.tree()).toEqual(other.tree())
  expect(one.read('.portico/manifest.json')).not.toContain(one.path)
  expect(one.read('.portico/.gitignore')).toBe('*\n!.gitignore\n!manifest.json\n')
})
