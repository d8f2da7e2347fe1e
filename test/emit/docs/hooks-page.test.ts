import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { emitProject } from '../../../src/emit/project.ts'
import { typeErrors } from '../../compiler.ts'
import { readActions } from '../../examples/walkthrough.ts'
import { platformOf } from '../platform.ts'
import { writeFiles } from '../service-process.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const START = `import { HookError, type Env, type Router } from './hooks.ts'
export default function setup(env: Env, router: Router): void {
  void HookError; void env; void router
`

/** The TypeScript of docs/hooks.md by path. Of `setup.ts` there are many versions, each in a file of its own. */
function examples(): { path: string; content: string }[] {
  return readActions(readFileSync(join(ROOT, 'docs/hooks.md'), 'utf8')).flatMap((action, index) => {
    if (!('path' in action)) return []
    const { path, content } = action
    if (path.endsWith('.go')) return []
    if (!path.endsWith('/setup.ts')) return [action]
    // Some examples show only what is inside the function.
    const text = content.includes('export default') ? content : `${START}${content}}\n`
    return [{ path: path.replace('setup.ts', `setup-${index}.ts`), content: text }]
  })
}

/** The definition of examples/stays, whose service Stay has the jobs of the page. */
function withJobs(definition: string): string {
  const page = readFileSync(join(ROOT, 'docs/hooks.md'), 'utf8')
  const [, jobs] = /\n## Jobs\n.*?```portico\n(.*?)```/s.exec(page) ?? []
  const start = 'Stay: service {\n'
  expect(definition).toContain(start)
  return definition.replace(start, `${start}${jobs}`)
}

it.each(['hooks', 'patterns'])('docs/%s.md shows every example in both languages', (name) => {
  const paths = readActions(readFileSync(join(ROOT, `docs/${name}.md`), 'utf8')).flatMap((action) =>
    'path' in action && !action.path.endsWith('.portico') ? [action.path] : [],
  )
  const inGo = (path: string) =>
    path
      .replace(/\/(?:src|test)\//, '/')
      .replace(/\.test\.ts$/, '_test.go')
      .replace(/\.ts$/, '.go')
  const typescript = paths.filter((path) => path.endsWith('.ts'))
  const pairs = typescript.flatMap((path) => [path, inGo(path)])
  expect(paths).toEqual(pairs)
})

it('compiles every example of docs/hooks.md in the project of examples/stays', async () => {
  const platform = platformOf(withJobs(readFileSync(join(ROOT, 'examples/stays/stays.portico'), 'utf8')))
  const files = emitProject(platform)
  const found = examples()
  const place = await writeFiles(files)
  for (const { path, content } of found) {
    const file = join(place, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  expect(found.length).toBeGreaterThan(10)
  const project = join(place, 'tsconfig.json')
  expect(await typeErrors(project)).toBe('')
})
