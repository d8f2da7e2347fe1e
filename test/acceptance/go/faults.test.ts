import { expect, test } from 'vitest'
import { compile } from '../../../src/compile.ts'
import { emitProject } from '../../../src/emit/project.ts'
import { FAULTS } from '../../conformance/faults/all.ts'
import { CUSTOM_ENDPOINT_FAULTS } from '../../conformance/faults/custom-endpoints.ts'
import { detected } from '../../conformance/faults/detected.ts'
import { DEFINITION, type Fault, replacing } from '../../conformance/faults/fault.ts'
import { inGo } from '../../conformance/faults/go.ts'
import { ROLE_FAULTS, ROLES } from '../../conformance/faults/roles.ts'

const faults = inGo(FAULTS)
const CUSTOM_ENDPOINTS = new Set(CUSTOM_ENDPOINT_FAULTS.map(({ description }) => description))

// Each needs a build: one of eight is enough to see that the checks do not depend on the language. The routes of
// endpoints differ most between the languages.
detected(
  faults.filter((fault, index) => index % 8 === 0 || CUSTOM_ENDPOINTS.has(fault.description)),
  'go',
)

test.each([
  ['all', DEFINITION, faults],
  ['with roles', ROLES, inGo(ROLE_FAULTS)],
] as const)('the others can be planted (%s)', (_, definition: string, planted: readonly Fault[]) => {
  const { platform } = compile(definition, { language: 'go' })
  if (platform === undefined) throw new Error('The definition has errors')
  const texts = new Map(emitProject(platform).map(({ path, content }) => [path, content]))
  for (const { files = {}, description } of planted)
    for (const [path, replacements] of Object.entries(files)) {
      const text = texts.get(path) ?? ''
      expect(replacing(replacements)(text), description).not.toBe(text)
    }
})
