import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emitOpenApi } from '../../../src/emit/openapi/emit.ts'
import { platformOf } from '../../emit/platform.ts'
import { EXAMPLES, GOLDENS } from './definitions.ts'
import { nodeToolPath, runTool, toolPath } from './tools.ts'

/**
 * A property called `hasOwnProperty` ends Redocly CLI 2.77 with `e.hasOwnProperty is not a function`, and it takes those
 * called `constructor` or `toString` for present in every example. The other validator, and clients, take them.
 */
const BREAKS_REDOCLY = new RegExp(`\\b(?:${Object.getOwnPropertyNames(Object.prototype).join('|')})\\b`, 'g')

const LARGE_BYTES = 1024 * 1024

let directory: string
const yamlFiles: string[] = []
const jsonFiles: string[] = []

beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'portico-openapi-'))
  for (const [kind, definitions] of Object.entries({ example: EXAMPLES, golden: GOLDENS }))
    for (const { name, text } of definitions)
      for (const { path: file, content } of emitOpenApi(platformOf(text))) {
        const isJson = file.endsWith('.json')
        const target = path.join(directory, `${kind}-${name}.${isJson ? 'json' : 'yaml'}`)
        writeFileSync(target, content)
        ;(isJson ? jsonFiles : yamlFiles).push(target)
      }
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('openapi-spec-validator accepts the OpenAPI document of every example and golden project, in both formats', async () => {
  // Python takes half a minute to read megabytes of YAML; what they hold is the same.
  const files = [...yamlFiles.filter((file) => statSync(file).size < LARGE_BYTES), ...jsonFiles]
  const { status, output } = await runTool(toolPath('openapi-spec-validator'), files)
  expect(output.split('\n').filter((line) => line !== '' && !line.endsWith(': OK'))).toEqual([])
  expect([status, output.match(/: OK$/gm)?.length]).toEqual([0, files.length])
})

test('Redocly CLI accepts them without a warning', async () => {
  for (const file of yamlFiles) {
    writeFileSync(file, readFileSync(file, 'utf8').replace(BREAKS_REDOCLY, '$&_'))
  }
  const cli = nodeToolPath('@redocly/cli/bin/cli.js')
  const { status, output } = await runTool(process.execPath, [
    cli,
    'lint',
    '--extends=recommended',
    ...yamlFiles,
  ])
  // It tells a warning in a sentence of its own, and ends well all the same.
  expect(output).not.toMatch(/\bwarnings?\b|\berrors?\b|went wrong/i)
  expect(output).toContain('Your API descriptions are valid.')
  expect([status, output.match(/: validated in /g)?.length]).toEqual([0, yamlFiles.length])
})
