import { stripTypeScriptTypes } from 'node:module'
import { expect, test } from 'vitest'
import { compile } from '../../src/compile.ts'
import { emitProject } from '../../src/emit/project.ts'
import { deriveChecks } from '../../src/conformance/derive-checks.ts'
import { FAULTS } from './faults/all.ts'
import { DEFINITION, replacing } from './faults/fault.ts'

const { platform } = compile(DEFINITION, { language: 'typescript' })
if (!platform) throw new Error('The definition of the faults has errors')
const files = new Map(emitProject(platform).map(({ path, content }) => [path, content]))
const checks = deriveChecks(platform).map(({ group, title }) => `${group}: ${title}`)

// Planting the faults takes minutes, so this shows at once which of them a renamed file or name affects.
test.each(FAULTS)('the generated code has a place for: $description', ({ files: changes = {}, foundBy }) => {
  for (const [path, replacements] of Object.entries(changes)) {
    const content = files.get(path)
    if (content === undefined) throw new Error(`\`${path}\` is not generated`)
    // Code that does not parse would make every check fail.
    expect(() => stripTypeScriptTypes(replacing(replacements)(content))).not.toThrow()
  }
  expect(
    checks.filter((check) => check.startsWith(foundBy)),
    foundBy,
  ).toHaveLength(1)
})
