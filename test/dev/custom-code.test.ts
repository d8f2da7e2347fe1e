import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findCustomCode } from '../../src/dev/custom-code.ts'
import { serviceSpecs } from '../../src/dev/service-specs.ts'
import { emitProject } from '../../src/emit/project.ts'
import { platformOf } from '../emit/platform.ts'

test.each([
  ['typescript', 'src/setup.ts', 'Promise<void> {}', 'Promise<void> { throw 1 }'],
  ['go', 'setup.go', 'return nil', 'panic(1)'],
])('finds the code of the user in services in %s', (language, file, initial, custom) => {
  const define = (operations: string) =>
    platformOf(`
      Shop: project { #authMethod(email); #language(${language}); }
      Customer: service { #auth; ${operations} }
      Order: service { ${operations} }`)
  const project = define('')
  const files = emitProject(project)
  const output = mkdtempSync(path.join(tmpdir(), 'portico-code-'))
  const find = (platform = project) =>
    Object.fromEntries(findCustomCode(output, serviceSpecs(platform, files), emitProject(platform)))
  for (const each of files) {
    mkdirSync(path.dirname(path.join(output, each.path)), { recursive: true })
    writeFileSync(path.join(output, each.path), each.content)
  }
  expect(find()).toEqual({})
  // Another operation is the example in the comment.
  expect(find(define('#omit[create];'))).toEqual({})

  const written = files.find((each) => each.path === `order/${file}`)?.content ?? ''
  expect(written).toContain(initial)
  writeFileSync(path.join(output, 'order', file), written.replace(initial, custom))
  rmSync(path.join(output, 'auth', file))
  expect(find()).toEqual({ auth: `auth/${file}`, order: `order/${file}` })
  rmSync(output, { recursive: true })
})
