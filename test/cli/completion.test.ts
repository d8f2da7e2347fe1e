import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.ts'
import { DIAGNOSTIC_CODES } from '../../src/diagnostics/catalogue.ts'
import { run, runProcess, temporaryDirectory } from './harness.ts'

const NAMES = [...COMMANDS.map(({ name }) => name), 'help']

let cwd = ''

beforeEach(() => {
  cwd = temporaryDirectory()
  mkdirSync(join(cwd, 'sub dir'))
  for (const name of ['shop.portico', 'old.temple', 'notes.txt', 'with space.portico'])
    writeFileSync(join(cwd, name), '')
})

function available(shell: string): boolean {
  return process.env['PORTICO_REQUIRE_ALL'] === '1' || spawnSync(shell, ['-c', 'true']).status === 0
}

async function scriptFor(shell: string): Promise<string> {
  const { status, stdout } = await run(['completion', shell])
  expect(status).toBe(0)
  const file = join(temporaryDirectory(), 'script')
  writeFileSync(file, stdout)
  return file
}

/** What every shell has to offer, for the words before the cursor (the last of them is being typed). */
const CASES: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [['portico', 'va'], ['validate']],
  [
    ['portico', 'validate', '--format', ''],
    ['github', 'json', 'text'],
  ],
  [['portico', 'validate', '--format', 'j'], ['json']],
  [['portico', 'validate', '--wat'], ['--watch']],
  [['portico', 'generate', 'x.portico', '--dr'], ['--dry-run']],
  [
    ['portico', 'generate', 'x.portico', '--language', 't'],
    ['ts', 'typescript'],
  ],
  [['portico', 'generate', 'x.portico', '--provider', 'dock'], ['dockerCompose']],
  [['portico', 'validate', '--color', 'n'], ['never']],
  [['portico', 'explain', ''], [...DIAGNOSTIC_CODES].sort()],
  [['portico', 'explain', 'unknown-ty'], ['unknown-type']],
  [
    ['portico', 'completion', ''],
    ['bash', 'fish', 'zsh'],
  ],
  [['portico', 'help', 'gen'], ['generate']],
]

describe.runIf(available('bash'))('in bash', () => {
  let script = ''

  function complete(words: readonly string[]): string[] {
    const quoted = words.map((word) => `'${word}'`).join(' ')
    const program = `source "$0"; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _portico; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', program, script], { cwd, encoding: 'utf8' })
    expect(stderr).toBe('')
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .sort()
  }

  beforeEach(async () => {
    script = await scriptFor('bash')
  })

  it.each(CASES)('%j', (words, offered) => {
    expect(complete(words)).toEqual(offered)
  })

  it('offers commands and shared options first', () => {
    expect(complete(['portico', ''])).toEqual(
      [...NAMES, '--color', '--yes', '-q', '--quiet', '-h', '--help', '--version'].sort(),
    )
  })

  it('finds the command behind shared options', () => {
    expect(complete(['portico', '--color', 'never', '-q', 'validate', '--wat'])).toEqual(['--watch'])
    expect(complete(['portico', '--color', '=', 'never', 'validate', '--wat'])).toEqual(['--watch'])
    expect(complete(['portico', '--color', ''])).toEqual(['always', 'auto', 'never'])
  })

  it('completes a value behind an equals sign, which bash makes a word of its own', () => {
    expect(complete(['portico', 'validate', '--format', '='])).toEqual(['github', 'json', 'text'])
    expect(complete(['portico', 'validate', '--format', '=', 'g'])).toEqual(['github'])
  })

  it('offers definitions and directories, with spaces in their names too', () => {
    expect(complete(['portico', 'validate', ''])).toEqual([
      'old.temple',
      'shop.portico',
      'sub dir',
      'with space.portico',
    ])
    expect(complete(['portico', 'validate', 'shop.portico', 'ol'])).toEqual(['old.temple'])
    expect(complete(['portico', 'generate', '-o', ''])).toEqual(['sub dir'])
    expect(complete(['portico', 'generate', '--module', ''])).toEqual([])
  })
})

describe.runIf(available('fish'))('in fish', () => {
  let script = ''

  function complete(words: readonly string[]): string[] {
    const line = words.join(' ')
    const program = `source ${script}; complete -C ${JSON.stringify(line)}`
    const env = { ...process.env, HOME: cwd, XDG_CONFIG_HOME: cwd, XDG_DATA_HOME: cwd }
    const { stdout } = spawnSync('fish', ['--no-config', '-c', program], { cwd, encoding: 'utf8', env })
    return stdout
      .split('\n')
      .map((candidate) => candidate.split('\t')[0] ?? '')
      .filter((candidate) => candidate !== '')
      .sort()
  }

  beforeEach(async () => {
    script = await scriptFor('fish')
  })

  it.each(CASES)('%j', (words, offered) => {
    expect(complete(words)).toEqual(offered)
  })

  it('offers definitions', () => {
    expect(complete(['portico', 'validate', 'sh'])).toEqual(['shop.portico'])
  })
})

describe.runIf(available('zsh'))('in zsh', () => {
  let script = ''

  /** Types the words and a tab in an interactive zsh of its own, and reads what is listed. */
  function complete(words: readonly string[]): string[] {
    const { stdout } = spawnSync(
      'zsh',
      ['-f', join(import.meta.dirname, 'complete.zsh'), script, words.join(' ')],
      {
        cwd,
        encoding: 'utf8',
        env: { ...process.env, HOME: cwd, TERM: 'dumb' },
      },
    )
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .sort()
  }

  beforeEach(async () => {
    script = await scriptFor('zsh')
  })

  it.each(CASES)('%j', (words, offered) => {
    expect(complete(words)).toEqual(offered)
  })
})

describe('portico completion', () => {
  let scripts: string[] = []

  beforeAll(async () => {
    scripts = await Promise.all(
      ['bash', 'zsh', 'fish'].map(async (shell) => (await runProcess(['completion', shell])).stdout),
    )
  })

  it('prints a script that names every command and every option', () => {
    for (const script of scripts) {
      for (const { name, options } of COMMANDS) {
        expect(script).toContain(name)
        for (const { flags } of options) {
          const [, long = ''] = /--([\w-]+)/.exec(flags) ?? []
          expect(script).toContain(long)
        }
      }
    }
  })
})
