import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { runProgram } from '../../client/run-program.ts'
import { writeFiles } from '../../emit/service-process.ts'
import { startsTraced, tracedFiles, withCollector } from '../../emit/traces.ts'

const FILES = tracedFiles('go')
let modules: Record<string, string> = {}
const start = startsTraced(FILES, () => modules)

test('without the build tag, a collector is only warned of', async () => {
  const home = await start('home', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  expect(home.log()).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      message: 'OTEL_EXPORTER_OTLP_ENDPOINT has no effect: this service was built without the tag otel',
    }),
  )
})

describe('with the build tag', () => {
  beforeAll(async () => {
    const directory = await writeFiles(FILES)
    await runProgram('bash', ['-ec', await commandOfDocs()], { cwd: directory })
    const read = (name: string) => readFile(path.join(directory, name), 'utf8')
    modules = { 'go.mod': await read('go.mod'), 'go.sum': await read('go.sum') }
    vi.stubEnv('GOFLAGS', '-tags=otel')
    return () => vi.unstubAllEnvs()
  }, 300_000)

  withCollector(start)
})

/** The command of `docs/go.md` that adds OpenTelemetry to a project. */
async function commandOfDocs(): Promise<string> {
  const text = await readFile(path.join(import.meta.dirname, '../../../docs/go.md'), 'utf8')
  return /^go get .*opentelemetry.*$/m.exec(text)?.[0] ?? expect.unreachable('No command in docs/go.md')
}
