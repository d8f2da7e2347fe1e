import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { CASES, directoryWithDefinitions, scriptFor } from '../../cli/completed.ts'

describe('in fish', () => {
  let cwd = ''
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
    cwd = directoryWithDefinitions()
    script = await scriptFor('fish')
  })

  it.each(CASES)('%j', (words, offered) => {
    expect(complete(words)).toEqual(offered)
  })

  it('offers definitions', () => {
    expect(complete(['portico', 'validate', 'sh'])).toEqual(['shop.portico'])
    expect(complete(['portico', 'validate', 'te'])).toEqual(['templefile'])
  })
})

describe('in zsh', () => {
  let cwd = ''
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
    cwd = directoryWithDefinitions()
    script = await scriptFor('zsh')
  })

  it.each(CASES)('%j', (words, offered) => {
    expect(complete(words)).toEqual(offered)
  })
})
