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
  it('prints only the version, in a process and after other options', async () => {
    expect(await runProcess(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
    expect(await run(['--color', 'never', '--version'])).toEqual({
      status: 0,
      stdout: `${version}\n`,
      stderr: '',
    })
  })

  it('prints help to standard output, or to standard error with status 2 without a command', async () => {
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

describe('incorrect use exits with status 2 and a message', () => {
  it.each([
    [['valdate', 'x.portico'], 'Unknown command `valdate`\nhelp: did you mean `validate`?'],
    [['generat'], 'Unknown command `generat`\nhelp: did you mean `generate`?'],
    [['validate', '--formt', 'json', 'x'], 'Unknown option `--formt`\nhelp: did you mean `--format`?'],
    [['generate', '--dryrun', 'x'], 'Unknown option `--dryrun`\nhelp: did you mean `--dry-run`?'],
    [['validate', '--json', 'x'], 'Unknown option `--json`\nhelp: use `--format json`'],
    [['dev', 'x', '--port'], '`--port` requires a value\nhelp: run `portico dev --help`'],
    [['generate', 'x', '--output', '--check'], '`--output` requires a value\nhelp: `--check` is read as'],
    [['diff', 'x', '--against', '--fail-on'], '`--against` requires a value'],
    [['--colr', 'never', 'validate', 'x'], 'Unknown option `--colr`\nhelp: did you mean `--color`?'],
    [['validate'], 'Missing argument `<file>`\nhelp: usage: `portico validate [options] <file...>`'],
    [['generate', 'a', 'b'], 'Unexpected argument `b`\nhelp: usage: `portico generate [options] <file>`'],
    [
      ['validate', '--format', 'xml', 'x'],
      'Invalid value `xml` for `--format`\nhelp: use `text`, `json` or `github`',
    ],
    [
      ['dev', '--port', '65536', 'x'],
      'Invalid value `65536` for `--port`\nhelp: use an integer from 0 to 65535',
    ],
    [
      ['dev', '--cors', 'https://a.b, https://c.d/', 'x'],
      'Invalid value `https://c.d/` for `--cors`\nhelp: list origins such as `https://app.example.com`, separated by commas',
    ],
    [['dev', '--cors', '*', 'x'], 'Invalid value `*` for `--cors`'],
    [['dev', '--cors', 'https://*.a.b', 'x'], 'Invalid value `https://*.a.b` for `--cors`'],
    [['dev', '--cors', 'a.b', 'x'], 'Invalid value `a.b` for `--cors`'],
    [['dev', '--cors', 'https://a.b:443', 'x'], 'Invalid value `https://a.b:443` for `--cors`'],
    [['dev', '--cors', 'https://a.b,', 'x'], 'Invalid value `` for `--cors`'],
    [['dev', '--port', '80a', 'x'], 'Invalid value `80a` for `--port`'],
    [['completion', 'tcsh'], 'Invalid value `tcsh` for `<shell>`\nhelp: use `bash`, `zsh` or `fish`'],
    [['help', 'valdate'], 'Unknown command `valdate`\nhelp: did you mean `validate`?'],
    [['-z'], 'Unknown option `-z`\nhelp: run `portico --help` to list the options'],
    [['validate', '--watch=no', 'x'], '`--watch` does not take a value'],
    [['--quiet=yes', 'validate', 'x'], '`--quiet` does not take a value'],
    [['foo', '--help'], 'Unknown command `foo`\nhelp: run `portico --help` to list the commands'],
    [['migrations', '-h'], 'Unknown command `migrations`\nhelp: did you mean `migration`?'],
    [
      ['generate', '--language', 'c', 'x'],
      'Invalid value `c` for `--language`\nhelp: use `typescript` or `go`',
    ],
    [[''], '`<command>` cannot be empty'],
    [['validate', 'x', ''], '`<file>` cannot be empty'],
    [['explain', ''], '`<code>` cannot be empty'],
    [['explain', 'x', ''], 'Unexpected empty argument\nhelp: usage: `portico explain [options] [code]`'],
    [['new', ''], '`<dir>` cannot be empty'],
    ...['generate', 'dev', 'client', 'explorer'].map((command): [string[], string] => [
      [command, 'x', '-o', ''],
      '`--output` cannot be empty',
    ]),
    [['migration', 'new', '', 'x'], '`<arguments>` cannot be empty'],
    [['dev', 'x', '--port', ''], '`--port` cannot be empty'],
    [['diff', 'x', '--against='], '`--against` cannot be empty'],
    [['validate', 'x', '--format='], '`--format` cannot be empty'],
    [['explain', 'unkown-type'], 'Unknown diagnostic `unkown-type`\nhelp: did you mean `unknown-type`?'],
    [['val\u001b[2Jdate\u0007'], 'Unknown command `val\\u001b[2Jdate\\u0007`'],
    [['dev', '-'], '`portico dev` cannot read standard input\nhelp: pass a file'],
  ])('%j', async (args, message) => {
    const { status, stdout, stderr } = await run(args)
    expect(status).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
    expect(stderr).toMatch(/^error: /)
    expect(stderr).not.toContain('    at ')
  })
})

describe('colors', () => {
  const wrong = ['validate', 'missing.portico']

  it('are used only on a terminal, unless NO_COLOR or the option says otherwise', async () => {
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

  it('apply to messages before the command runs', async () => {
    expect((await run(['valdate'], { terminal: true })).stderr).toContain('\u001b[31merror:')
    expect((await run(['valdate', '--color=never'], { terminal: true })).stderr).not.toContain('\u001b[')
    expect((await run(['--help'], { terminal: true })).stdout).toContain('\u001b[1mUsage:')
  })
})

describe('the process', () => {
  it('exits quietly when the reader closes the pipe', async () => {
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
        stderr: 'error: No space left on the disk\n',
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
      stderr: 'error: The working directory no longer exists\nhelp: change to another directory\n',
    })
  })

  it('writes results to standard output and everything else to standard error', async () => {
    const cwd = temporaryDirectory()
    const { status, stdout, stderr } = await runProcess(['new', 'shop', '--yes'], { cwd })
    expect(status).toBe(0)
    expect(stdout).toBe('shop/shop.portico\n')
    expect(stderr).toBe('Next: portico dev shop/shop.portico\n')
    expect((await run(['new', 'other', '-q'], { cwd })).stderr).toBe('')
  })

  it('asks users to report a bug, and prints the stack trace with PORTICO_DEBUG', async () => {
    const stdin = new TypeError('x is not a function')
    const { status, stderr } = await run(['validate', '-'], { stdin })
    expect(status).toBe(3)
    expect(stderr).toMatch(/^error: Portico crashed: .*x is not a function\nhelp: this is a bug; run .*\n$/)
    const debug = await run(['validate', '-'], { stdin, env: { PORTICO_DEBUG: '1' } })
    expect(debug.stderr).toContain('    at ')
  })

  it('reports system errors', async () => {
    const stdin = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' })
    const { status, stderr } = await run(['validate', '-'], { stdin })
    expect({ status, stderr }).toEqual({ status: 3, stderr: 'error: Input/output error\n' })
  })
})
