import { spawn } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { PORTICO, run, runProcess, temporaryDirectory } from './harness.ts'

const VALID = `Stays: project {
  #authMethod(email);
}
Host: service {
  name: string(80);
  #auth;
  #enumerable;
  #readable(by: all);
}
Home: service {
  owner: Host;
  Photo: struct {
    image: data(5M);
    #enumerable;
  }
  #omit[delete];
}
`
const WRONG = `Stays: project {}

Home: service {
  home: Hoem;
  beds: int(max: 1, min: 5);
}
`
const WARNED = 'Stays: project {}\nHome: service {\n  #omit[delete, delete];\n}\n'

const REPORT = `error[unknown-type]: There is no type or service \`Hoem\`. Did you mean \`Home\`?
  wrong.portico:4:9
  |
4 |   home: Hoem;
  |         ^^^^

error[reversed-bounds]: \`max\` is below \`min\`, so that no value fits. The upper bound comes first: swap them, or name them.
  wrong.portico:5:18
  |
5 |   beds: int(max: 1, min: 5);
  |                  ^
  wrong.portico:5:26: \`min\` is given here.
  |
5 |   beds: int(max: 1, min: 5);
  |                          ^

`

let cwd = ''

beforeEach(() => {
  cwd = temporaryDirectory()
  writeFileSync(join(cwd, 'valid.portico'), VALID)
  writeFileSync(join(cwd, 'wrong.portico'), WRONG)
  writeFileSync(join(cwd, 'warned.portico'), WARNED)
})

describe('portico validate', () => {
  it('confirms a valid definition and counts what it describes', async () => {
    expect(await runProcess(['validate', 'valid.portico'], { cwd })).toEqual({
      status: 0,
      // Host 6, Home 3, Photo 5, register and login.
      stdout: 'valid.portico: valid (2 services, 1 struct, 16 endpoints)\n',
      stderr: '',
    })
  })

  it('prints what is wrong with excerpts, then counts it', async () => {
    expect(await runProcess(['validate', 'wrong.portico'], { cwd })).toEqual({
      status: 1,
      stdout: 'wrong.portico: 2 errors\n',
      stderr: REPORT,
    })
  })

  it('confirms a definition with warnings', async () => {
    const { status, stdout, stderr } = await run(['validate', 'warned.portico'], { cwd })
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'warned.portico: valid (1 service, 0 structs, 3 endpoints)\n',
    })
    expect(stderr).toMatch(/^warning\[repeated-value\]: /)
  })

  it('checks several files: all diagnostics first, then a line for each', async () => {
    const ended = await run(['validate', 'valid.portico', 'wrong.portico', 'warned.portico'], { cwd })
    expect(ended.status).toBe(1)
    expect(ended.stderr.startsWith(REPORT)).toBe(true)
    expect(ended.stdout).toBe(
      'valid.portico: valid (2 services, 1 struct, 16 endpoints)\nwrong.portico: 2 errors\nwarned.portico: valid (1 service, 0 structs, 3 endpoints)\n',
    )
  })

  it('says nothing but what is wrong under --quiet', async () => {
    expect(await run(['validate', '-q', 'valid.portico'], { cwd })).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    })
    expect(await run(['-q', 'validate', 'wrong.portico'], { cwd })).toEqual({
      status: 1,
      stdout: '',
      stderr: REPORT,
    })
  })

  it('reads standard input', async () => {
    const { status, stdout, stderr } = await runProcess(['validate', '-'], { stdin: WRONG })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '<stdin>: 2 errors\n' })
    expect(stderr).toBe(REPORT.replaceAll('wrong.portico', '<stdin>'))
  })

  it('checks bytes that are no text', async () => {
    const bytes = Uint8Array.from({ length: 4096 }, (_, index) => (index * 167) % 256)
    const { status, stderr } = await runProcess(['validate', '-'], { stdin: bytes })
    expect(status).toBe(1)
    expect(stderr).not.toContain('    at ')
  })
})

describe('portico validate --format', () => {
  it('json prints one object a line and nothing else to standard output', async () => {
    const { status, stdout, stderr } = await runProcess(
      ['validate', 'wrong.portico', 'valid.portico', '--format', 'json'],
      { cwd },
    )
    expect(status).toBe(1)
    expect(stderr).toBe(
      'wrong.portico: 2 errors\nvalid.portico: valid (2 services, 1 struct, 16 endpoints)\n',
    )
    const objects = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    expect(objects).toEqual([
      {
        file: 'wrong.portico',
        code: 'unknown-type',
        severity: 'error',
        message: 'There is no type or service `Hoem`. Did you mean `Home`?',
        range: { start: { offset: 43, line: 4, column: 9 }, end: { offset: 47, line: 4, column: 13 } },
        related: [],
      },
      expect.objectContaining({
        code: 'reversed-bounds',
        related: [expect.objectContaining({ message: '`min` is given here.' })],
      }),
    ])
  })

  it('github prints one workflow command a line', async () => {
    const { status, stdout } = await run(['validate', 'wrong.portico', 'warned.portico', '--format=github'], {
      cwd,
    })
    expect(status).toBe(1)
    expect(stdout.split('\n')).toEqual([
      '::error file=wrong.portico,line=4,endLine=4,col=9,endColumn=12,title=unknown-type::There is no type or service `Hoem`. Did you mean `Home`?',
      expect.stringContaining('::error file=wrong.portico,line=5,'),
      expect.stringContaining('::warning file=warned.portico,line=3,'),
      '',
    ])
  })

  it('github escapes what ends a property or a command', async () => {
    writeFileSync(join(cwd, 'a,b:100%.portico'), WRONG)
    const { stdout } = await run(['validate', 'a,b:100%.portico', '--format', 'github'], { cwd })
    expect(stdout).toContain('::error file=a%2Cb%3A100%25.portico,line=4')
  })
})

describe('what cannot be read', () => {
  it('ends with status 3, which one wrong file does not hide', async () => {
    const ended = await run(['validate', 'none.portico', 'wrong.portico', 'valid.portico'], { cwd })
    expect(ended.status).toBe(3)
    expect(ended.stdout).toContain('valid.portico: valid')
    expect(ended.stderr).toBe(
      `error: none.portico cannot be read: there is no such file or directory.\n${REPORT}`,
    )
    expect((await run(['validate', 'wrong.portico', 'none.portico'], { cwd })).status).toBe(3)
  })

  it('suggests the file that was meant', async () => {
    expect((await run(['validate', 'valid'], { cwd })).stderr).toBe(
      'error: valid cannot be read: there is no such file or directory.\nDid you mean valid.portico?\n',
    )
    mkdirSync(join(cwd, 'shop'))
    expect((await run(['validate', 'shop'], { cwd })).stderr).toBe(
      'error: shop cannot be read: it is a directory.\nName the definition file itself.\n',
    )
    writeFileSync(join(cwd, 'shop/shop.portico'), VALID)
    expect((await run(['validate', 'shop'], { cwd })).stderr).toBe(
      'error: shop cannot be read: it is a directory.\nName the definition in it: shop/shop.portico\n',
    )
  })

  it.runIf(process.getuid?.() !== 0)('says that permission is denied', async () => {
    chmodSync(join(cwd, 'valid.portico'), 0)
    const { status, stderr } = await run(['validate', 'valid.portico'], { cwd })
    expect({ status, stderr }).toEqual({
      status: 3,
      stderr: 'error: valid.portico cannot be read: permission denied.\n',
    })
  })

  it('goes for links in a circle and for huge files', async () => {
    symlinkSync('loop.portico', join(cwd, 'loop.portico'))
    expect((await run(['validate', 'loop.portico'], { cwd })).stderr).toContain(
      'its symbolic links run in a circle',
    )
    const { ftruncateSync, openSync } = await import('node:fs')
    ftruncateSync(openSync(join(cwd, 'huge.portico'), 'w'), 3e9)
    expect((await run(['validate', 'huge.portico'], { cwd })).stderr).toContain(
      'it is too large for a definition',
    )
  })
})

describe('portico validate --watch', () => {
  it('checks again at every change, also of an editor that replaces the file, until it is stopped', async () => {
    const child = spawn(process.execPath, [PORTICO, 'validate', 'valid.portico', '--watch'], {
      cwd,
      env: { ...process.env, PORTICO_SOURCE: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    const checked = async (...lines: string[]): Promise<void> => {
      const expected = lines.map((line) => `valid.portico: ${line}\n`).join('')
      const watching = (): number => stderr.split('Watching for changes').length - 1
      while (stdout.length < expected.length || watching() < lines.length)
        await new Promise((resolve) => setTimeout(resolve, 10))
      expect(stdout).toBe(expected)
    }
    const valid = 'valid (2 services, 1 struct, 16 endpoints)'
    await checked(valid)
    // Replaced at one stroke, so that no half of it is ever there to be read.
    writeFileSync(join(cwd, 'wrong.tmp'), WRONG)
    renameSync(join(cwd, 'wrong.tmp'), join(cwd, 'valid.portico'))
    await checked(valid, '2 errors')
    appendFileSync(join(cwd, 'valid.portico'), '// The same, and a remark.\n')
    await checked(valid, '2 errors', '2 errors')
    child.kill('SIGINT')
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
  })

  it('checks once more for what changed meanwhile, and ends when it is told to', async () => {
    const stop = new AbortController()
    let reports = 0
    const ended = await run(['validate', 'valid.portico', '--watch'], {
      cwd,
      signal: stop.signal,
      onStderr: (text) => {
        if (!text.includes('Watching for changes')) return
        reports += 1
        if (reports === 1) writeFileSync(join(cwd, 'valid.portico'), VALID)
        else stop.abort()
      },
    })
    expect(ended.status).toBe(0)
    expect(ended.stderr).toContain('valid.portico changed')
    expect(ended.stdout).toContain('valid.portico: valid (2 services, 1 struct, 16 endpoints)\n')
  })

  it('refuses standard input', async () => {
    const { status, stderr } = await run(['validate', '-', '--watch'])
    expect(status).toBe(2)
    expect(stderr).toContain('standard input cannot be watched')
  })
})
