import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const read = (file: string) =>
  readFileSync(path.join(import.meta.dirname, '../../../templates', file), 'utf8').replaceAll(
    '${LEASE_S}',
    '30',
  )

/** The statements of a file by name. */
const statements = (text: string): (readonly [name: string, sql: string])[] =>
  [...text.matchAll(/(\w+)\s*= `([^`]*)`/g)].map(([, name = '', sql = '']) => [
    name,
    sql.replaceAll(/\s+/g, ' ').trim(),
  ])

/** `takeJobs` and `finishScheduledJob` for `TAKE` and `FINISH_SCHEDULED`. */
const isNameInGo = (go: string, name: string) =>
  go.toLowerCase().replace(/jobs?$/, '') === name.toLowerCase().replace('_', '')

it('runs jobs with the same statements in all languages', () => {
  const typescript = statements(read('typescript/lib/job-statements.ts'))
  const go = statements(read('go/internal/platform/jobs_statements.go'))
  expect(go.length).toBeGreaterThan(10)
  const expected = go.map(([name]) => typescript.find(([each]) => isNameInGo(name, each)))
  expect(go.map(([, sql]) => sql)).toEqual(expected.map((found) => found?.[1]))
  expect(new Set(expected).size).toBe(typescript.length)
})
