import { execFileSync, spawn } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
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

const REPORT = `error[unknown-type]: Unknown type or service \`Hoem\`
  wrong.portico:4:9
  |
4 |   home: Hoem;
  |         ^^^^
  |
  = help: did you mean \`Home\`?

error[reversed-bounds]: \`max\` is less than \`min\`
  wrong.portico:5:18
  |
5 |   beds: int(max: 1, min: 5);
  |                  ^
  wrong.portico:5:26
  |
5 |   beds: int(max: 1, min: 5);
  |                          ^ \`min\` given here
  |
  = help: swap the two values

`

let cwd = ''

beforeEach(() => {
  cwd = temporaryDirectory()
  writeFileSync(join(cwd, 'valid.portico'), VALID)
  writeFileSync(join(cwd, 'wrong.portico'), WRONG)
  writeFileSync(join(cwd, 'warned.portico'), WARNED)
})

describe('portico validate', () => {
  it('counts endpoints that are declared', async () => {
    const text = 'P: project {} Home: service { Quote: endpoint { #get("quote"); } #omit[create]; }'
    writeFileSync(join(cwd, 'endpoint.portico'), text)
    const { stdout } = await runProcess(['validate', 'endpoint.portico'], { cwd })
    expect(stdout).toBe('endpoint.portico: valid (1 service, 0 structs, 5 endpoints)\n')
  })

  it('confirms a valid definition with its numbers of services, structs and endpoints', async () => {
    expect(await runProcess(['validate', 'valid.portico'], { cwd })).toEqual({
      status: 0,
      // Host 6, Home 3, Photo 5, register and login.
      stdout: 'valid.portico: valid (2 services, 1 struct, 19 endpoints)\n',
      stderr: '',
    })
  })

  it('prints diagnostics with excerpts, then their number', async () => {
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
      stdout: 'warned.portico: valid (1 service, 0 structs, 4 endpoints)\n',
    })
    expect(stderr).toMatch(/^warning\[duplicate-value\]: /)
  })

  it('checks several files: all diagnostics first, then a line for each', async () => {
    const ended = await run(['validate', 'valid.portico', 'wrong.portico', 'warned.portico'], { cwd })
    expect(ended.status).toBe(1)
    expect(ended.stderr.startsWith(REPORT)).toBe(true)
    expect(ended.stdout).toBe(
      'valid.portico: valid (2 services, 1 struct, 19 endpoints)\nwrong.portico: 2 errors\nwarned.portico: valid (1 service, 0 structs, 4 endpoints)\n',
    )
  })

  it('checks a file once, even if it is named twice', async () => {
    const file = 'wrong.portico'
    expect(await run(['validate', file, file], { cwd })).toEqual(await run(['validate', file], { cwd }))
  })

  it('prints only diagnostics with --quiet', async () => {
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
})

describe('portico validate --format', () => {
  it('json prints only one object per line to standard output', async () => {
    const { status, stdout, stderr } = await runProcess(
      ['validate', 'wrong.portico', 'valid.portico', '--format', 'json'],
      { cwd },
    )
    expect(status).toBe(1)
    expect(stderr).toBe(
      'wrong.portico: 2 errors\nvalid.portico: valid (2 services, 1 struct, 19 endpoints)\n',
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
        message: 'Unknown type or service `Hoem`',
        help: 'did you mean `Home`?',
        range: { start: { offset: 43, line: 4, column: 9 }, end: { offset: 47, line: 4, column: 13 } },
        related: [],
      },
      expect.objectContaining({
        code: 'reversed-bounds',
        related: [expect.objectContaining({ message: '`min` given here' })],
      }),
    ])
  })

  it('github prints one workflow command per line', async () => {
    const { status, stdout } = await run(['validate', 'wrong.portico', 'warned.portico', '--format=github'], {
      cwd,
    })
    expect(status).toBe(1)
    expect(stdout.split('\n')).toEqual([
      '::error file=wrong.portico,line=4,endLine=4,col=9,endColumn=12,title=unknown-type::Unknown type or service `Hoem`%0Ahelp: did you mean `Home`?',
      expect.stringContaining('::error file=wrong.portico,line=5,'),
      expect.stringContaining('::warning file=warned.portico,line=3,'),
      '',
    ])
  })

  it('github escapes the ends of properties and commands', async () => {
    writeFileSync(join(cwd, 'a,b:100%.portico'), WRONG)
    const { stdout } = await run(['validate', 'a,b:100%.portico', '--format', 'github'], { cwd })
    expect(stdout).toContain('::error file=a%2Cb%3A100%25.portico,line=4')
  })
})

describe('a file that cannot be read', () => {
  const LATIN_1 = Buffer.from(
    'Shop: project {}\nItem: service {\n  name: string(9) = "caf\u00e9";\n}\n',
    'latin1',
  )

  it.each(['validate', 'generate', 'dev', 'format', 'test', 'graph', 'client', 'explorer', 'diff'])(
    'is one that is not UTF-8: %s',
    async (command) => {
      writeFileSync(join(cwd, 'latin1.portico'), LATIN_1)
      const operands = command === 'diff' ? ['valid.portico', 'latin1.portico'] : ['latin1.portico']
      expect(await run([command, ...operands], { cwd })).toEqual({
        status: 3,
        stdout: '',
        stderr: 'error: Could not read `latin1.portico`: it is not UTF-8 text\nhelp: convert it to UTF-8\n',
      })
      expect(readFileSync(join(cwd, 'latin1.portico'))).toEqual(LATIN_1)
    },
  )

  it('includes UTF-16 and binary files, but not those with a byte order mark', async () => {
    const validate = (stdin: Uint8Array) => run(['validate', '-'], { stdin })
    const binary = Uint8Array.from({ length: 4096 }, (_, index) => (index * 167) % 256)
    const utf16 = Buffer.from(VALID, 'utf16le')
    for (const bytes of [LATIN_1, binary, utf16, Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])])
      expect(await validate(bytes)).toEqual({
        status: 3,
        stdout: '',
        stderr: 'error: Could not read standard input: it is not UTF-8 text\nhelp: convert it to UTF-8\n',
      })
    expect((await validate(Buffer.from(`\ufeff${VALID}`))).status).toBe(0)
  })

  it('exits with status 3, even if another file has errors', async () => {
    const ended = await run(['validate', 'none.portico', 'wrong.portico', 'valid.portico'], { cwd })
    expect(ended.status).toBe(3)
    expect(ended.stdout).toContain('valid.portico: valid')
    expect(ended.stderr).toBe(`error: Could not read \`none.portico\`: no such file or directory\n${REPORT}`)
    expect((await run(['validate', 'wrong.portico', 'none.portico'], { cwd })).status).toBe(3)
  })

  it('suggests the file that was probably meant', async () => {
    expect((await run(['validate', 'valid'], { cwd })).stderr).toBe(
      'error: Could not read `valid`: no such file or directory\nhelp: did you mean `valid.portico`?\n',
    )
    mkdirSync(join(cwd, 'shop'))
    expect((await run(['validate', 'shop'], { cwd })).stderr).toBe(
      'error: `shop` is a directory. Pass a definition file\n',
    )
    writeFileSync(join(cwd, 'shop/shop.portico'), VALID)
    expect((await run(['validate', 'shop'], { cwd })).stderr).toBe(
      'error: `shop` is a directory. Pass a definition file\nhelp: did you mean `shop/shop.portico`?\n',
    )
  })

  it.runIf(process.getuid?.() !== 0)('says that permission is denied', async () => {
    chmodSync(join(cwd, 'valid.portico'), 0)
    const { status, stderr } = await run(['validate', 'valid.portico'], { cwd })
    expect({ status, stderr }).toEqual({
      status: 3,
      stderr: 'error: Could not read `valid.portico`: permission denied\n',
    })
  })

  it.runIf(process.platform === 'linux')(
    'refuses what is not a regular file, without reading it',
    async () => {
      execFileSync('mkfifo', [join(cwd, 'pipe.portico')])
      for (const file of ['/dev/zero', 'pipe.portico']) {
        for (const command of ['validate', 'generate', 'format', 'graph', 'client', 'test', 'dev'])
          expect(await run([command, file], { cwd })).toEqual({
            status: 3,
            stdout: '',
            stderr: `error: \`${file}\` is not a regular file\nhelp: use \`-\` to read standard input\n`,
          })
      }
    },
  )

  it('never prints control characters in a name', async () => {
    const { stderr } = await run(['validate', 'x\u001b[31m\u0007\u009b.portico'], { cwd })
    expect(stderr).toBe(
      'error: Could not read `x\\u001b[31m\\u0007\\u009b.portico`: no such file or directory\n',
    )
    writeFileSync(join(cwd, 'a\u001b]0;title\u0007b.portico'), WRONG)
    const { stdout, stderr: report } = await run(['validate', 'a\u001b]0;title\u0007b.portico'], { cwd })
    // oxlint-disable-next-line no-control-regex -- control characters are what this looks for
    expect(stdout + report).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/)
    writeFileSync(join(cwd, 'a\u202eb.portico'), WRONG)
    const reordering = await run(['validate', 'a\u202eb.portico'], { cwd })
    expect(reordering.stdout).toMatch(/^a\\u202eb\.portico: 2 errors/)
    expect(reordering.stderr).toContain('  a\\u202eb.portico:4:9\n')
    expect(reordering.stdout + reordering.stderr).not.toContain('\u202e')
    const json = await run(['validate', 'a\u202eb.portico', '--format', 'json'], { cwd })
    expect(json.stdout).not.toContain('\u202e')
    for (const line of json.stdout.trim().split('\n'))
      expect(JSON.parse(line)).toMatchObject({ file: 'a\u202eb.portico' })
  })

  it('includes circular links and huge files', async () => {
    symlinkSync('loop.portico', join(cwd, 'loop.portico'))
    expect((await run(['validate', 'loop.portico'], { cwd })).stderr).toContain(
      'Could not read `loop.portico`: too many levels of symbolic links',
    )
    const { ftruncateSync, openSync } = await import('node:fs')
    ftruncateSync(openSync(join(cwd, 'huge.portico'), 'w'), 3e9)
    expect((await run(['validate', 'huge.portico'], { cwd })).stderr).toContain('`huge.portico` is too large')
  })
})

describe('portico validate --watch', () => {
  it('checks again after every change, also if an editor replaces the file, until it is stopped', async () => {
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
    const valid = 'valid (2 services, 1 struct, 19 endpoints)'
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

  it('checks again after a change during a check, and stops on a signal', async () => {
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
    expect(ended.stdout).toContain('valid.portico: valid (2 services, 1 struct, 19 endpoints)\n')
  })

  it('rejects standard input', async () => {
    const { status, stderr } = await run(['validate', '-', '--watch'])
    expect(status).toBe(2)
    expect(stderr).toContain('`--watch` cannot watch standard input')
  })
})

it('shows hints only on request, and other commands never', async () => {
  writeFileSync(
    join(cwd, 'shop.portico'),
    'Shop: project { #database(postgres); }\nNote: service { text: string; #omit[create, read, update, delete]; }\n',
  )
  const codes = async (...words: string[]) => {
    const { status, stdout, stderr } = await run(words, { cwd })
    expect(status).toBe(0)
    return [...`${stdout}${stderr}`.matchAll(/(?:redundant-metadata|no-endpoints)/g)].map(([code]) => code)
  }
  for (const format of ['text', 'json', 'github'])
    expect(await codes('validate', 'shop.portico', '--format', format)).toEqual([])
  expect(await codes('validate', 'shop.portico', '--hints')).toEqual(['redundant-metadata', 'no-endpoints'])
  expect(await codes('generate', 'shop.portico')).toEqual([])
  expect(await codes('graph', 'shop.portico')).toEqual([])
})
