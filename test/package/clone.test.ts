import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

let clone = ''

/** Runs the program of the clone. */
function portico(args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  return execFileSync(process.execPath, [join(clone, 'bin/portico.mjs'), ...args], {
    encoding: 'utf8',
    env: { ...process.env, PORTICO_SOURCE: undefined, ...env },
  })
}

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'portico-clone-'))
  mkdirSync(join(clone, 'bin'))
  copyFileSync(join(ROOT, 'bin/portico.mjs'), join(clone, 'bin/portico.mjs'))
  for (const name of ['src', 'explorer', 'package.json', 'templates'])
    symlinkSync(join(ROOT, name), join(clone, name))
})

afterEach(() => rmSync(clone, { recursive: true, force: true }))

describe('a clone', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }

  it('runs from its source while there is no bundle', () => {
    expect(portico(['--version'])).toBe(`${version}\n`)
    expect(portico(['explain', 'unknown-type'])).toContain('Unknown type')
  })

  it('runs its bundle, unless told otherwise', () => {
    mkdirSync(join(clone, 'dist/cli'), { recursive: true })
    writeFileSync(join(clone, 'dist/cli/main.mjs'), "process.stdout.write('bundle\\n')")
    expect(portico(['--version'])).toBe('bundle\n')
    expect(portico(['--version'], { PORTICO_SOURCE: '1' })).toBe(`${version}\n`)
  })

  it.each(['20.20.2', '24.15.0', '25.9.0', '26.0.0'])('tells users of Node %s what to install', (used) => {
    const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${used}' } })`
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        '--import',
        `data:text/javascript,${encodeURIComponent(older)}`,
        join(clone, 'bin/portico.mjs'),
        'new',
        'shop',
      ],
      { encoding: 'utf8' },
    )
    expect({ status, stdout, stderr }).toEqual({
      status: 3,
      stdout: '',
      stderr: `error: Portico needs Node.js 24 (24.16 or later) or 26.1 or later; this is ${used}\nhelp: npm install --save-dev node@26\n`,
    })
  })
})

describe('the package', () => {
  it('does not contain the extension, which contains the package', () => {
    mkdirSync(join(clone, 'dist'), { recursive: true })
    writeFileSync(join(clone, 'dist/portico.vsix'), '')
    const args = ['pack', '--dry-run', '--ignore-scripts', '--json']
    const { stdout } = spawnSync('npm', args, { cwd: clone, encoding: 'utf8' })
    const [{ files = [] } = {}] = JSON.parse(stdout) as { files?: { path: string }[] }[]
    const paths = files.map(({ path }) => path)
    expect(paths).toContain('bin/portico.mjs')
    expect(paths).not.toContain('dist/portico.vsix')
  })
})

describe('a fresh clone, in which nothing is installed', () => {
  /** Stands in for npm: `ci` installs the one package and builds the bundle, or fails. */
  const NPM = `
    const { mkdirSync, writeFileSync } = require('node:fs')
    if (process.argv[2] !== 'ci' || process.env.NPM_FAILS) process.exit(1)
    mkdirSync('node_modules', { recursive: true })
    writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }))
    mkdirSync('dist/cli', { recursive: true })
    writeFileSync('dist/cli/main.mjs', "process.stdout.write('ran ' + process.argv.slice(2).join(' '))")
  `

  beforeEach(() => {
    mkdirSync(join(clone, 'scripts'))
    for (const script of ['first-run.mjs', 'ensure-installed.mjs', 'prepare.mjs'])
      copyFileSync(join(ROOT, 'scripts', script), join(clone, 'scripts', script))
    writeFileSync(join(clone, 'npm.cjs'), NPM)
    writeFileSync(
      join(clone, 'package-lock.json'),
      JSON.stringify({ packages: { '': {}, 'node_modules/a': { version: '1.0.0' } } }),
    )
  })

  const firstRun = (env: Readonly<Record<string, string>> = {}) =>
    spawnSync(process.execPath, [join(clone, 'bin/portico.mjs'), 'new', 'shop'], {
      encoding: 'utf8',
      env: { ...process.env, PORTICO_SOURCE: undefined, npm_execpath: join(clone, 'npm.cjs'), ...env },
    })

  it('installs its dependencies with the first command, whichever that is', () => {
    const { status, stdout, stderr } = firstRun()
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: 'ran new shop',
      stderr: 'Installing dependencies (once, about a minute)...\n',
    })
    expect(firstRun().stderr).toBe('')
  })

  it('says how to continue after a failed installation, and tries again', () => {
    const { status, stderr } = firstRun({ NPM_FAILS: '1' })
    expect(status).toBe(3)
    expect(stderr).toContain('error: Could not install the dependencies; see the output of npm above\nhelp: ')
    expect(firstRun().status).toBe(0)
  })

  it('lets npm link it before anything is installed, so that npx has a working cache', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(clone, 'scripts/prepare.mjs')], {
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})
