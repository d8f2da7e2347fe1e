import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { PORTICO, run, runProcess, temporaryDirectory } from './harness.ts'

const NOBODY = 65_534

const LOOSE = 'Shop :project{ } ;Item: service{name:string // its name\n}'
const TIDY = 'Shop: project {}\n\nItem: service {\n  name: string; // its name\n}\n'
const BROKEN = 'Shop: project {}\n\nItem: service {\n  name string;\n}\n'

let cwd = ''

beforeEach(() => {
  cwd = temporaryDirectory()
  writeFileSync(join(cwd, 'loose.portico'), LOOSE)
  writeFileSync(join(cwd, 'tidy.portico'), TIDY)
  writeFileSync(join(cwd, 'broken.portico'), BROKEN)
})

function read(name: string): string {
  return readFileSync(join(cwd, name), 'utf8')
}

describe('portico format', () => {
  it('rewrites files that are not in the standard layout and prints their names', async () => {
    const ended = await runProcess(['format', 'loose.portico', 'tidy.portico'], { cwd })
    expect(ended).toEqual({ status: 0, stdout: 'loose.portico\n', stderr: '' })
    expect(read('loose.portico')).toBe(TIDY)
  })

  it('does not write a file that is already formatted', async () => {
    const before = statSync(join(cwd, 'tidy.portico'), { bigint: true })
    await run(['format', 'tidy.portico'], { cwd })
    const after = statSync(join(cwd, 'tidy.portico'), { bigint: true })
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs])
  })

  it('only lists them with --check, with status 1', async () => {
    const ended = await run(['format', '--check', 'loose.portico', 'tidy.portico'], { cwd })
    expect(ended).toEqual({
      status: 1,
      stdout: 'loose.portico\n',
      stderr: '1 file is not in the standard layout. Run `portico format`\n',
    })
    expect(read('loose.portico')).toBe(LOOSE)
    expect(await run(['format', '--check', 'tidy.portico'], { cwd })).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    })
  })

  it('prints formatted standard input', async () => {
    expect(await runProcess(['format', '-'], { stdin: LOOSE })).toEqual({
      status: 0,
      stdout: TIDY,
      stderr: '',
    })
  })

  it('does not change a file with syntax errors, reports it, and formats the others', async () => {
    const { status, stdout, stderr } = await run(['format', 'broken.portico', 'loose.portico'], { cwd })
    expect({ status, stdout }).toEqual({ status: 1, stdout: 'loose.portico\n' })
    expect(stderr).toContain('broken.portico:4:')
    expect(stderr).toContain('broken.portico: not formatted because of syntax errors')
    expect(read('broken.portico')).toBe(BROKEN)
    expect(read('loose.portico')).toBe(TIDY)
  })

  it('formats a file that is invalid but has no syntax errors', async () => {
    const ended = await run(['format', '-'], { stdin: 'Item:service{name:text}' })
    expect(ended).toEqual({ status: 0, stdout: 'Item: service {\n  name: text;\n}\n', stderr: '' })
  })

  it('keeps the mode and a symbolic link, and leaves no temporary file', async () => {
    mkdirSync(join(cwd, 'linked'))
    symlinkSync('../loose.portico', join(cwd, 'linked/link.portico'))
    chmodSync(join(cwd, 'loose.portico'), 0o640)
    expect((await run(['format', 'linked/link.portico'], { cwd })).status).toBe(0)
    expect(lstatSync(join(cwd, 'linked/link.portico')).isSymbolicLink()).toBe(true)
    expect(statSync(join(cwd, 'loose.portico')).mode & 0o7777).toBe(0o640)
    expect(read('loose.portico')).toBe(TIDY)
    expect(readdirSync(cwd).sort()).toEqual(['broken.portico', 'linked', 'loose.portico', 'tidy.portico'])
    expect(readdirSync(join(cwd, 'linked'))).toEqual(['link.portico'])
  })

  it('replaces the file atomically', async () => {
    linkSync(join(cwd, 'loose.portico'), join(cwd, 'old.portico'))
    expect((await run(['format', 'loose.portico'], { cwd })).status).toBe(0)
    // It was not written over in place, or its other name would show that.
    expect(read('old.portico')).toBe(LOOSE)
    expect(read('loose.portico')).toBe(TIDY)
  })

  it.runIf(process.platform === 'linux')('names the file in a directory that is not writable', () => {
    chmodSync(cwd, 0o555)
    const { status, stderr } = spawnSync(process.execPath, [PORTICO, 'format', 'loose.portico'], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, PORTICO_SOURCE: '1' },
      ...(process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}),
    })
    chmodSync(cwd, 0o755)
    expect({ status, stderr }).toEqual({
      status: 3,
      stderr: 'error: Could not write `loose.portico`: permission denied\n',
    })
  })

  it('exits with status 3 if a file does not exist, and still formats the others', async () => {
    const { status, stdout } = await run(['format', 'none.portico', 'loose.portico'], { cwd })
    expect({ status, stdout }).toEqual({ status: 3, stdout: 'loose.portico\n' })
  })
})
