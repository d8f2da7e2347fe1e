import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CommandSpec } from '../../src/cli/command.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { PORTICO, run, runProcess, temporaryDirectory } from './harness.ts'

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string
}

describe('help and version', () => {
  it('prints the version alone, in a process as behind other options', async () => {
    expect(await runProcess(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
    expect(await run(['--color', 'never', '--version'])).toEqual({
      status: 0,
      stdout: `${version}\n`,
      stderr: '',
    })
  })

  it('prints help to standard output, and to standard error with status 2 where no command is given', async () => {
    const asked = await run(['--help'])
    expect(asked).toMatchObject({ status: 0, stderr: '' })
    for (const { name, summary } of COMMANDS) {
      expect(asked.stdout).toContain(name)
      expect(asked.stdout.replaceAll(/\s+/g, ' ')).toContain(summary)
    }
    const missing = await run([])
    expect(missing).toMatchObject({ status: 2, stdout: '' })
    expect(missing.stderr).toContain('Usage: portico <command>')
  })

  it.each(COMMANDS.map(({ name }) => name))('shows examples and every option of %s', async (name) => {
    const spec = COMMANDS.find((command): command is CommandSpec => command.name === name)
    const { status, stdout } = await run([name, '-h'])
    expect(status).toBe(0)
    expect(spec?.examples.length).toBeGreaterThan(0)
    for (const [line, meaning] of spec?.examples ?? []) {
      expect(stdout).toContain(`portico ${line}`)
      expect(stdout).toContain(meaning)
    }
    for (const { flags } of spec?.options ?? []) expect(stdout).toContain(flags)
    for (const shared of ['--color <when>', '--yes', '-q, --quiet', '--version', '-h, --help'])
      expect(stdout).toContain(shared)
    expect((await run(['help', name])).stdout).toBe(stdout)
  })
})

describe('wrong use ends with status 2 and a sentence', () => {
  it.each([
    [['valdate', 'x.portico'], 'Did you mean validate?'],
    [['generat'], 'Did you mean generate?'],
    [['validate', '--formt', 'json', 'x'], 'Did you mean --format?'],
    [['generate', '--dryrun', 'x'], 'Did you mean --dry-run?'],
    [['--colr', 'never', 'validate', 'x'], 'Did you mean --color?'],
    [['validate'], "missing required argument 'file'"],
    [['generate', 'a', 'b'], 'too many arguments'],
    [['validate', '--format', 'xml', 'x'], 'Allowed choices are text, json, github'],
    [['dev', '--port', '65536', 'x'], 'It takes an integer from 0 to 65535'],
    [['dev', '--port', '80a', 'x'], 'It takes an integer from 0 to 65535'],
    [
      ['completion', 'tcsh'],
      "error: 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish",
    ],
    [['help', 'valdate'], 'Did you mean validate?'],
    [['-z'], '`portico --help` lists the commands.'],
    [['validate', ''], 'The name of a definition file is empty.'],
    [['explain', 'unkown-type'], 'Did you mean `unknown-type`?'],
  ])('%j', async (args, message) => {
    const { status, stdout, stderr } = await run(args)
    expect(status).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
    expect(stderr).toMatch(/^error: /)
    expect(stderr).not.toContain('    at ')
  })
})

describe('colours', () => {
  const wrong = ['validate', 'missing.portico']

  it('are used on a terminal alone, unless NO_COLOR or the option says otherwise', async () => {
    const colored = async (args: string[], options: Parameters<typeof run>[1]): Promise<boolean> =>
      (await run([...args, ...wrong], options)).stderr.includes('\u001b[')
    expect(await colored([], { terminal: true })).toBe(true)
    expect(await colored([], {})).toBe(false)
    expect(await colored([], { terminal: true, env: { NO_COLOR: '1' } })).toBe(false)
    expect(await colored([], { terminal: true, env: { NO_COLOR: '' } })).toBe(true)
    expect(await colored([], { terminal: true, env: { TERM: 'dumb' } })).toBe(false)
    expect(await colored(['--color', 'never'], { terminal: true })).toBe(false)
    expect(await colored(['--color=always'], { env: { NO_COLOR: '1' } })).toBe(true)
  })

  it('reach what is said before the command runs', async () => {
    expect((await run(['valdate'], { terminal: true })).stderr).toContain('\u001b[31merror:')
    expect((await run(['valdate', '--color=never'], { terminal: true })).stderr).not.toContain('\u001b[')
    expect((await run(['--help'], { terminal: true })).stdout).toContain('\u001b[1mUsage:')
  })
})

describe('the process', () => {
  it('finishes quietly when the reader of its output goes away', async () => {
    const child = spawn(
      'bash',
      ['-c', '"$0" "$1" explain | true; exit ${PIPESTATUS[0]}', process.execPath, PORTICO],
      {
        env: { ...process.env, PORTICO_SOURCE: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    child.stdout.resume()
    const status = await new Promise((resolve) => child.on('close', resolve))
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it.runIf(process.platform === 'linux')('says that its output cannot be written', async () => {
    for (const args of ['explain', '--version', 'help']) {
      const command = `"$0" "$1" ${args} > /dev/full`
      const { status, stderr } = spawnSync('bash', ['-c', command, process.execPath, PORTICO], {
        encoding: 'utf8',
        env: { ...process.env, PORTICO_SOURCE: '1' },
      })
      expect({ args, status, stderr }).toEqual({
        args,
        status: 3,
        stderr: 'error: No space is left on the disk.\n',
      })
    }
  })

  it.runIf(process.platform !== 'win32')('says that the working directory is gone', () => {
    const cwd = temporaryDirectory()
    const command = 'rmdir "$PWD"; "$0" "$1" validate x.portico'
    const { status, stderr } = spawnSync('bash', ['-c', command, process.execPath, PORTICO], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, PORTICO_SOURCE: '1' },
    })
    expect({ status, stderr }).toEqual({
      status: 3,
      stderr: 'error: The working directory is gone. Change to one that exists.\n',
    })
  })

  it('writes results to standard output and all else to standard error', async () => {
    const cwd = temporaryDirectory()
    const { status, stdout, stderr } = await runProcess(['new', 'shop', '--yes'], { cwd })
    expect(status).toBe(0)
    expect(stdout).toBe('shop/shop.portico\n')
    expect(stderr).toBe('Run it: portico dev shop/shop.portico\n')
    expect((await run(['new', 'other', '-q'], { cwd })).stderr).toBe('')
  })

  it('asks for a report of its own faults, with the trace where PORTICO_DEBUG is set', async () => {
    const stdin = new TypeError('x is not a function')
    const { status, stderr } = await run(['validate', '-'], { stdin })
    expect(status).toBe(3)
    expect(stderr).toMatch(/^error: This is a fault of Portico, .*x is not a function.*Please report it.*\n$/)
    const debug = await run(['validate', '-'], { stdin, env: { PORTICO_DEBUG: '1' } })
    expect(debug.stderr).toContain('    at ')
  })

  it('says what the system refused', async () => {
    const stdin = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' })
    const { status, stderr } = await run(['validate', '-'], { stdin })
    expect({ status, stderr }).toEqual({ status: 3, stderr: 'error: The disk failed.\n' })
  })
})
