import { execFile, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { packPortico } from './pack.ts'

const ROOT = join(import.meta.dirname, '../../..')
const run = promisify(execFile)

const PACKAGES = ['the package from the registry', 'the package in the extension'] as const
const INSTALL = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']

let directory = ''
let path = ''

interface Ended {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** A directory with these programs and no other ones: no compiler, no make, no Python. */
function pathWith(...programs: string[]): string {
  const bin = join(directory, 'bin')
  mkdirSync(bin)
  symlinkSync(process.execPath, join(bin, 'node'))
  for (const program of programs) {
    const found = (process.env['PATH'] ?? '')
      .split(delimiter)
      .map((each) => join(each, program))
      .find((each) => existsSync(each) && !each.includes('node_modules'))
    if (found !== undefined) symlinkSync(realpathSync(found), join(bin, program))
  }
  return bin
}

/** Packages the extension. Returns the directory of the package that is in it. */
async function packedInExtension(): Promise<string> {
  const vsix = join(directory, 'portico.vsix')
  await run(process.execPath, [join(ROOT, 'scripts/package-extension.mjs'), vsix])
  await run('unzip', ['-q', vsix, 'extension/portico/*', '-d', directory])
  return join(directory, 'extension/portico')
}

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'portico-package-'))
  path = pathWith('npm', 'sh', 'env', 'ps', 'cat', 'sleep')
})

afterAll(() => rmSync(directory, { recursive: true, force: true }))

describe.each(PACKAGES)('%s, installed without a compiler and without install scripts', (origin) => {
  const isExtension = origin === 'the package in the extension'
  let user = ''

  beforeAll(async () => {
    user = join(directory, isExtension ? 'user-of-extension' : 'user')
    mkdirSync(user)
    const source = isExtension
      ? ['--install-links', await packedInExtension()]
      : [packPortico(directory, { ...process.env, PATH: path }).tarball]
    await run('npm', [...INSTALL, ...source], { env: { ...process.env, PATH: path }, cwd: user })
  }, 300_000)

  /** Runs the installed program as a shell would, with nothing on the path but Node, npm and what they need. */
  async function portico(...args: string[]): Promise<Ended> {
    const program = join(user, 'node_modules/.bin/portico')
    const options = { cwd: user, env: { ...process.env, PATH: path, PORTICO_SOURCE: undefined } }
    try {
      return { status: 0, ...(await run(program, args, options)) }
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
      return { status: code, stdout, stderr }
    }
  }

  it('contains the files to run it and no sources', () => {
    const installed = join(user, 'node_modules/portico')
    const forReaders = isExtension ? [] : ['CHANGELOG.md', 'README.md', 'docs']
    const expected = [...forReaders, 'LICENSE', 'bin', 'dist', 'package.json', 'templates']
    expect(readdirSync(installed).sort()).toEqual(expected.sort())
    for (const copied of ['bin', 'templates']) {
      const files = readdirSync(join(ROOT, copied), { recursive: true, encoding: 'utf8' })
      expect(new Set(readdirSync(join(installed, copied), { recursive: true, encoding: 'utf8' }))).toEqual(
        new Set(files),
      )
    }
    expect(readFileSync(join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8')).toContain('commander ')
    for (const bundled of ['commander', 'langium', 'chokidar', '@inquirer'])
      expect(existsSync(join(user, 'node_modules', bundled))).toBe(false)
  })

  it('starts, and explains itself', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
    expect(await portico('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
    expect((await portico('--help')).stdout).toContain('validate')
    expect((await portico('explain', 'unknown-type')).stdout).toContain('Unknown type')
    expect((await portico('completion', 'bash')).stdout).toContain('complete -F _portico portico')
    expect((await portico('valdate')).status).toBe(2)
  })

  it('creates a definition and generates its project', async () => {
    expect(await portico('new', 'shop', '--yes')).toMatchObject({ status: 0 })
    expect(await portico('validate', 'shop/shop.portico')).toEqual({
      status: 0,
      stdout: 'shop/shop.portico: valid (3 services, 1 struct, 26 endpoints)\n',
      stderr: '',
    })
    expect(await portico('format', '--check', 'shop/shop.portico')).toMatchObject({ status: 0 })
    expect(await portico('generate', 'shop/shop.portico', '-o', 'out')).toMatchObject({ status: 0 })
    expect(readdirSync(join(user, 'out'))).toEqual(
      expect.arrayContaining(['article', 'article-db', 'auth', 'README.md']),
    )
    expect(await portico('generate', 'shop/shop.portico', '-o', 'out', '--check')).toMatchObject({
      status: 0,
    })
  })

  it('watches', async () => {
    const child = spawn(
      join(user, 'node_modules/.bin/portico'),
      ['validate', '--watch', 'shop/shop.portico'],
      {
        cwd: user,
        env: { ...process.env, PATH: path },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    await new Promise<void>((resolve) => {
      child.stderr.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes('Watching')) resolve()
      })
    })
    child.kill('SIGTERM')
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
  })

  it('runs a platform and tests it', async () => {
    await portico('new', 'small', '--yes')
    const { status, stdout, stderr } = await portico('test', 'small/small.portico')
    expect(status, stderr).toBe(0)
    expect(stdout).toMatch(/\d+ checks: \d+ passed/)
  })
})

describe('bin/portico.mjs', () => {
  const bin = join(ROOT, 'bin/portico.mjs')

  it('reports an old version of Node with status 3', async () => {
    const pretend = 'data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"18.20.8"}})'
    const { code, stdout, stderr } = await run(process.execPath, [
      '--import',
      pretend,
      bin,
      '--version',
    ]).then(
      () => ({ code: 0, stdout: '', stderr: '' }),
      (error: unknown) => error as { code: number; stdout: string; stderr: string },
    )
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toBe(
      'error: Portico needs Node.js 24 (24.16 or later) or 26.1 or later; this is 18.20.8\nhelp: npm install --save-dev node@26\n',
    )
  })

  it('has only syntax that Node 18 supports', async () => {
    const text = readFileSync(bin, 'utf8')
    const old = await transform(text, { target: 'node18', format: 'esm' })
    const current = await transform(text, { target: 'esnext', format: 'esm' })
    expect(old.code).toBe(current.code)
    // Named imports that an old Node has not would be errors before the first line runs.
    expect(text).not.toMatch(/^import /m)
  })
})
