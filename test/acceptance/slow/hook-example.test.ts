import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compile } from '../../../src/compile.ts'
import { hookExample } from '../../../src/emit/typescript/hook-example.ts'
import { emitProject } from '../../../src/emit/project.ts'
import { writeFiles } from '../../emit/service-process.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const DEFINITIONS = [
  ...globSync('test/golden/*/input.portico', { cwd: ROOT }).map((file) => {
    return [basename(dirname(file)), readFileSync(join(ROOT, file), 'utf8')] as const
  }),
  ['no create', 'P: project {} S: service { n: int; #omit[create]; }'],
  ['no endpoints', 'P: project {} S: service { n: int; #omit[create, read, update, delete]; }'],
  [
    'only called by others',
    'P: project {} S: service { n: int; #omit[create, read, update, delete]; } T: service { s: S; #omit[create]; }',
  ],
  ['nothing to check', 'P: project {} S: service { ok: bool; }'],
] as const

/** The directories of one service for each definition, with the example as its `setup.ts`. */
async function writeExamples(): Promise<string[]> {
  const written = DEFINITIONS.map(async ([, text]) => {
    const { platform } = compile(text, { language: 'typescript' })
    const example = platform && hookExample(platform)
    if (platform === undefined || example === undefined) return []
    const place = join(await writeFiles(emitProject(platform)), example.service.directory)
    await writeFile(join(place, 'src/setup.ts'), `${example.lines.join('\n')}\n`)
    return [place]
  })
  return (await Promise.all(written)).flat()
}

function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((done) => {
    execFile(join(ROOT, 'node_modules/.bin', program), args, { cwd }, (_error, stdout, stderr) => {
      done(stdout + stderr)
    })
  })
}

describe("the README's example of a setup.ts", () => {
  it('compiles in every project, and is formatted', async () => {
    const places = await writeExamples()
    expect(places.length).toBeGreaterThan(10)
    const [first = ''] = places
    const project = join(first, 'examples.json')
    const include = places.map((place) => join(place, 'src'))
    await writeFile(project, JSON.stringify({ extends: '../tsconfig.json', include }))
    expect(await run('tsc', ['-p', project], first)).toBe('')
    const setups = places.map((place) => join(place, 'src/setup.ts'))
    const config = `--config-path=${join(ROOT, 'biome.json')}`
    expect(
      await run('biome', ['format', '--colors=off', '--vcs-enabled=false', config, ...setups], ROOT),
    ).toMatch(/No fixes applied/)
  })
})
