import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { writeProject } from '../../src/dev/project.ts'
import { emitProject } from '../../src/emit/project.ts'
import { platformOf } from '../emit/platform.ts'

const output = mkdtempSync(path.join(tmpdir(), 'portico-dev-'))
afterAll(() => rmSync(output, { recursive: true }))

test('names your files of a language that a service no longer has, once', async () => {
  const write = async (definition: string): Promise<string[]> => {
    const platform = platformOf(definition)
    const notices: string[] = []
    await writeProject(output, { platform, files: emitProject(platform, []) }, (event) => {
      if (event.kind === 'notice') notices.push(event.text)
    })
    return notices
  }
  const note = (language: string) =>
    `P: project {}\nNote: service { text: string; #language(${language}); }\n`
  expect(await write(note('typescript'))).toEqual([])
  appendFileSync(path.join(output, 'note/src/setup.ts'), '// Mine.\n')
  expect(await write(note('go'))).toEqual([
    'Kept because you edited them, although they are no longer generated: note/src/setup.ts',
  ])
  expect(await write(note('go').replace('text', 'body'))).toEqual([])
})
