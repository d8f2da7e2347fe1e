import { spawnSync } from 'node:child_process'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.ts'
import { CASES, directoryWithDefinitions, scriptFor } from './completed.ts'
import { runProcess } from './harness.ts'

const NAMES = [...COMMANDS.map(({ name }) => name), 'help']

describe('in bash', () => {
  let cwd = ''
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
    cwd = directoryWithDefinitions()
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

  it('finds the command after global options', () => {
    expect(complete(['portico', '--color', 'never', '-q', 'validate', '--wat'])).toEqual(['--watch'])
    expect(complete(['portico', '--color', '=', 'never', 'validate', '--wat'])).toEqual(['--watch'])
    expect(complete(['portico', '--color', ''])).toEqual(['always', 'auto', 'never'])
  })

  it('completes a value after an equals sign, which is a separate word in bash', () => {
    expect(complete(['portico', 'validate', '--format', '='])).toEqual(['github', 'json', 'text'])
    expect(complete(['portico', 'validate', '--format', '=', 'g'])).toEqual(['github'])
  })

  it('offers definitions and directories, with spaces in their names too', () => {
    expect(complete(['portico', 'validate', ''])).toEqual([
      'old.temple',
      'shop.portico',
      'sub dir',
      'templefile',
      'with space.portico',
    ])
    expect(complete(['portico', 'validate', 'shop.portico', 'ol'])).toEqual(['old.temple'])
    expect(complete(['portico', 'generate', '-o', ''])).toEqual(['sub dir'])
    expect(complete(['portico', 'dev', '--port', ''])).toEqual([])
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
