import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createTypeCheck, parseErrors } from '../../src/dev/type-check.ts'
import { emitProject } from '../../src/emit/project.ts'
import { platformOf } from '../emit/platform.ts'
import { writeFiles } from '../emit/service-process.ts'

test('portico dev shows the type errors of `npm run check`, except unused names', async () => {
  const output = await writeFiles(emitProject(platformOf('P: project {}\nNote: service { text: string; }')))
  const setup = `import type { Env, Router } from './hooks.ts'

export default function setup(_env: Env, router: Router): void {
  const unused = 1
  router.use(async (c, next) => {
    if (c.req.header('x-key') === undefined) return c.text('Unauthorized', 401)
    await next()
  })
}
`
  await writeFile(path.join(output, 'note/src/setup.ts'), setup)
  const errors = await new Promise((resolve, reject) => {
    const check = createTypeCheck({
      output,
      stateDirectory: path.join(output, '.portico/dev'),
      onErrors: resolve,
      onFailure: (text) => reject(new Error(text)),
    })
    check.setServices(['note'])
    check.run()
  })
  expect(errors).toMatchObject([{ file: 'note/src/setup.ts', line: 5, code: 'TS7030' }])
}, 60_000)

test('type errors have the details that the compiler prints below them', () => {
  const output = [
    'home/src/setup.ts(8,19): error TS2769: No overload matches this call.',
    '  The last overload gave the following error.',
    "    Argument of type 'string' is not assignable to parameter of type 'null'.",
    "home/src/setup (copy).ts(12,3): error TS2304: Cannot find name 'x'.",
    '',
  ].join('\n')
  expect(parseErrors(output)).toEqual([
    {
      file: 'home/src/setup.ts',
      line: 8,
      column: 19,
      code: 'TS2769',
      message: [
        'No overload matches this call.',
        '  The last overload gave the following error.',
        "    Argument of type 'string' is not assignable to parameter of type 'null'.",
      ].join('\n'),
    },
    {
      file: 'home/src/setup (copy).ts',
      line: 12,
      column: 3,
      code: 'TS2304',
      message: "Cannot find name 'x'.",
    },
  ])
})
