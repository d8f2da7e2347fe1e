import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EmbeddedPlatform } from '../../../src/dev/platform.ts'
import { emitOpenApi } from '../../../src/emit/openapi/emit.ts'
import { createWorkplace, type Workplace } from '../../dev/run-platform.ts'
import { platformOf } from '../../emit/platform.ts'
import { copyOwnFiles, EXAMPLES } from './definitions.ts'
import { NODE_MODULES, nodeToolPath, runTool, toolPath } from './tools.ts'

const WALKS = path.join(import.meta.dirname, 'walks')
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    typeRoots: [path.resolve('node_modules/@types')],
    types: ['node'],
    noEmit: true,
    allowImportingTsExtensions: true,
  },
  include: ['*.ts', '*.mts'],
}

let workplace: Workplace
let platform: EmbeddedPlatform
beforeAll(async () => {
  const stays = EXAMPLES.find(({ name }) => name === 'stays')
  if (stays === undefined) throw new Error('Missing examples/stays')
  workplace = await createWorkplace(stays.text)
  copyOwnFiles(stays, workplace.output)
  platform = await workplace.start()
  for (const { name, text } of EXAMPLES) {
    const document = emitOpenApi(platformOf(text)).find(({ path: file }) => file.endsWith('.json'))
    writeFileSync(path.join(workplace.directory, `${name}.json`), document?.content ?? '')
  }
})
afterAll(() => workplace?.close())

function environment(user: string): Record<string, string> {
  return { PORTICO_GATEWAY: `http://${platform.gateway}`, PORTICO_EMAIL: `${user}@example.com` }
}

describe('openapi-typescript and openapi-fetch', () => {
  test('types of every example compile, and a script uses some of them', async () => {
    const cli = nodeToolPath('openapi-typescript/bin/cli.js')
    const { directory } = workplace
    for (const { name } of EXAMPLES) {
      const made = await runTool(process.execPath, [cli, `${name}.json`, '-o', `${name}.d.ts`], {
        cwd: directory,
      })
      expect(made.status === 0 ? '' : made.output).toBe('')
    }
    const script = path.join(directory, 'walk.mts')
    copyFileSync(path.join(WALKS, 'openapi-fetch.mts.txt'), script)
    symlinkSync(NODE_MODULES, path.join(directory, 'node_modules'))
    writeFileSync(path.join(directory, 'package.json'), '{ "type": "module" }')
    writeFileSync(path.join(directory, 'tsconfig.json'), JSON.stringify(TSCONFIG))
    const compiler = path.resolve('node_modules/.bin/tsc')
    const compiled = await runTool(compiler, ['-p', directory])
    expect(compiled.output).toBe('')
    const walked = await runTool(process.execPath, [script], { cwd: directory, env: environment('ts') })
    expect(walked).toEqual({ status: 0, output: 'walked\n' })
  })
})

describe('openapi-python-client', () => {
  test.each(EXAMPLES.map(({ name }) => name))(
    'makes a client of %s without a warning, and it can be imported',
    async (name) => {
      const { directory } = workplace
      const config = path.join(directory, 'python.yaml')
      writeFileSync(config, 'post_hooks: []\n')
      const output = path.join(directory, `python-${name}`)
      const args = ['generate', '--path', `${name}.json`, '--output-path', output, '--config', config]
      const made = await runTool(toolPath('openapi-python-client'), [...args, '--fail-on-warning'], {
        cwd: directory,
      })
      expect(made.status === 0 ? '' : made.output).toBe('')
      const compiled = await runTool(toolPath('python'), ['-m', 'compileall', '-q', output])
      expect(compiled).toEqual({ status: 0, output: '' })
    },
  )

  test('a script uses the one of stays', async () => {
    const env = { ...environment('python'), PYTHONPATH: path.join(workplace.directory, 'python-stays') }
    const walked = await runTool(toolPath('python'), [path.join(WALKS, 'python_client.py')], { env })
    expect(walked).toEqual({ status: 0, output: 'walked\n' })
  })
})
