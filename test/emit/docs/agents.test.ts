import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compile } from '../../../src/compile.ts'
import { emitAgents } from '../../../src/emit/docs/agents.ts'
import { emitProject } from '../../../src/emit/project.ts'
import { run } from '../../cli/harness.ts'

type Language = 'go' | 'typescript'

function filesOf(text: string, language?: Language): ReadonlyMap<string, string> {
  const { platform } = compile(text, language === undefined ? {} : { language })
  if (platform === undefined) throw new Error('The definition has errors')
  return new Map(emitProject(platform).map(({ path, content }) => [path, content]))
}

const agentsOf = (text: string, language?: Language): string => filesOf(text, language).get('AGENTS.md') ?? ''

const STAYS = readFileSync(join(import.meta.dirname, '../../../examples/stays/stays.portico'), 'utf8')
const NOTES = 'Notes: project { #provider(kube); #metrics(prometheus); } Note: service { text: string(80)?; }'
const MIXED = 'Notes: project {} Note: service { n: int; } Tag: service { n: int; #language(go); }'

describe('AGENTS.md', () => {
  it.each(['typescript', 'go'] as const)('says what holds for every definition in %s', (language) => {
    const constant = (text: string) =>
      agentsOf(text, language).replace(/^# .*$|^For example, in [^]*?^```$/gm, '')
    expect(constant(STAYS)).toBe(constant(NOTES))
    expect(constant(STAYS)).not.toMatch(/stays|\bhost\b/i)
  })

  it('is about the languages of the project', () => {
    expect(agentsOf(STAYS, 'typescript')).not.toMatch(/\bgo\b|\.go\b/i)
    expect(agentsOf(STAYS, 'go')).not.toMatch(/\bnpm\b|\.ts\b/)
    const headings = agentsOf(MIXED).match(/^### .*$/gm)
    expect(headings).toEqual(['### Services in TypeScript', '### Services in Go'])
  })

  it('shows a route that checks access, if there are users', () => {
    const check = { typescript: '  await env.access.requireReadable(', go: 'err := env.RequireReadable(' }
    for (const language of ['typescript', 'go'] as const) {
      expect(agentsOf(STAYS, language)).toContain(check[language])
      expect(agentsOf(NOTES, language)).not.toContain(check[language])
    }
  })

  it('is written once, and stays deleted', () => {
    const { platform } = compile(NOTES)
    expect(platform && emitAgents(platform)).toMatchObject([
      { path: 'AGENTS.md', owner: 'user', optional: true },
    ])
  })

  it('names files that exist', () => {
    for (const language of ['typescript', 'go'] as const) {
      const files = filesOf(STAYS, language)
      const named = (files.get('AGENTS.md') ?? '').match(/(?<=`)(?:src\/)?[a-z]\w*\.(?:ts|go)(?=`)/g) ?? []
      expect(new Set(named).size).toBeGreaterThan(3)
      expect(named.filter((name) => !files.has(`home/${name}`))).toEqual([])
      for (const name of ['README.md', 'home-db/migrations/0001_initial.sql'])
        expect([...files.keys()]).toContain(name)
    }
  })

  it('uses commands and options that exist', async () => {
    const lines = agentsOf(STAYS, 'typescript').match(/portico \w+[^`#\n]*/g) ?? []
    expect(lines.length).toBeGreaterThan(5)
    for (const line of lines) {
      const [, command = '', ...words] = line.trim().split(' ')
      if (command.endsWith('generated')) continue
      const { status, stdout } = await run([command, '--help'])
      expect({ line, status }).toEqual({ line, status: 0 })
      for (const option of words.filter((word) => word.startsWith('-'))) expect(stdout).toContain(option)
    }
    const { stdout } = await run(['generate', '--help'])
    for (const option of ['--allow-data-loss', '--backfill', '--overwrite']) expect(stdout).toContain(option)
    expect((await run(['dev', '--help'])).stdout).toContain('--fresh')
  })
})
