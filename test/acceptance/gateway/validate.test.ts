import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emitGateway } from '../../../src/emit/gateway/envoy.ts'
import { tokenFilter } from '../../../src/emit/gateway/token-filter.ts'
import { platformOf } from '../../emit/platform.ts'
import { ENVOY } from '../../gateway/envoy-process.ts'

const ROOT = join(import.meta.dirname, '../../..')
const SECRET = Buffer.alloc(32, 1).toString('base64url')
const run = promisify(execFile)
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'portico-validate-'))
  await mkdir(join(directory, 'secrets'))
  await writeFile(join(directory, 'secrets/tokens.json'), tokenFilter(SECRET, SECRET))
  await writeFile(join(directory, 'openapi.json'), '{}')
})

afterAll(() => rm(directory, { recursive: true, force: true }))

/** Definitions of the golden projects and of the examples, by their path. */
async function definitions(): Promise<string[]> {
  const found: string[] = []
  for (const parent of ['test/golden', 'examples'])
    for (const entry of await readdir(join(ROOT, parent), { withFileTypes: true })) {
      if (!entry.isDirectory()) continue
      const files = await readdir(join(ROOT, parent, entry.name))
      const file = files.find((name) => /\.(?:portico|temple)$/.test(name))
      if (file !== undefined) found.push(join(parent, entry.name, file))
    }
  return found
}

/** What Envoy says of a configuration, whose files it is given in another directory. */
async function validate(content: string): Promise<string> {
  const file = join(directory, 'envoy.yaml')
  await writeFile(file, content.replaceAll('/etc/envoy/', `${directory}/`))
  const { stderr } = await run(ENVOY, ['--mode', 'validate', '-c', file, '--log-level', 'warn'])
  return stderr
}

test.each(await definitions())('Envoy accepts the gateway of %s without a warning', async (definition) => {
  const [file] = emitGateway(platformOf(await readFile(join(ROOT, definition), 'utf8')))
  expect(file?.path).toBe('gateway/envoy.yaml')
  expect(await validate(file?.content ?? '')).toBe('')
})

test('Envoy reports unknown configuration', async () => {
  const [file] = emitGateway(platformOf('P: project {}\nA: service { b: string; }'))
  await expect(validate(`${file?.content ?? ''}\nunknown_field: 1\n`)).rejects.toThrow(/unknown_field/)
})
