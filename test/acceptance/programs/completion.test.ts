import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { CASES, directoryWithDefinitions, scriptFor } from '../../cli/completed.ts'

let cwd = ''
beforeEach(() => {
  cwd = directoryWithDefinitions()
})

/** Runs a program in the directory and returns the lines that it prints. */
function linesOf(program: string, args: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const { stdout } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...env, HOME: cwd },
  })
  return stdout.split('\n').filter((line) => line !== '')
}

describe('in fish', () => {
  async function complete(words: readonly string[]): Promise<string[]> {
    const program = `source ${await scriptFor('fish')}; complete -C ${JSON.stringify(words.join(' '))}`
    const env = { XDG_CONFIG_HOME: cwd, XDG_DATA_HOME: cwd }
    const lines = linesOf('fish', ['--no-config', '-c', program], env)
    return lines.map((candidate) => candidate.split('\t')[0] ?? '').sort()
  }

  it.each(CASES)('%j', async (words, offered) => {
    expect(await complete(words)).toEqual(offered)
  })

  it('offers definitions', async () => {
    expect(await complete(['portico', 'validate', 'sh'])).toEqual(['shop.portico'])
    expect(await complete(['portico', 'validate', 'te'])).toEqual(['templefile'])
  })
})

// It types the words and a tab in an interactive zsh of its own, and reads what is listed.
it.each(CASES)('in zsh %j', async (words, offered) => {
  const args = ['-f', join(import.meta.dirname, 'complete.zsh'), await scriptFor('zsh'), words.join(' ')]
  expect(linesOf('zsh', args, { TERM: 'dumb' }).sort()).toEqual(offered)
})
