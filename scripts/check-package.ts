import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'

// Packs Portico as npm publishes it, lets create-portico install the tarball, and runs it there:
// `node scripts/check-package.ts`.

const ROOT = join(import.meta.dirname, '..')
const directory = mkdtempSync(join(tmpdir(), 'portico-package-'))
const installed = join(directory, 'a new shop')

/** Programs run in this version of Node. */
const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}` }

/** The largest download in bytes. Most of it is the explorer's API reference. */
const MAX_BYTES = 3_800_000

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 300_000,
  })
}

function expect(text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new Error(`Expected ${pattern} in:\n${text}`)
}

try {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', directory], ROOT)) as {
    filename: string
    files: { path: string }[]
    size: number
  }[]
  if (packed === undefined) throw new Error('npm pack created no tarball')
  const surplus = packed.files.filter(({ path }) => /^(src|test|bench|examples|node_modules)\//.test(path))
  if (surplus.length > 0)
    throw new Error(`Not meant to be published: ${surplus.map(({ path }) => path).join(', ')}`)
  const paths = new Set(packed.files.map(({ path }) => path))
  for (const page of ['index.html', 'reference.html', 'main.js', 'reference.js'])
    if (!paths.has(`dist/explorer/${page}`)) throw new Error(`The explorer lacks ${page}`)
  if (packed.size > MAX_BYTES) throw new Error(`${packed.size} bytes are more than ${MAX_BYTES}`)

  execFileSync(
    process.execPath,
    [join(ROOT, 'create-portico/bin/create-portico.mjs'), basename(installed), '--language', 'typescript'],
    {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: 300_000,
      env: {
        ...env,
        PORTICO_PACKAGE: `file:${join(directory, packed.filename)}`,
        npm_config_audit: 'false',
        npm_config_fund: 'false',
        npm_config_loglevel: 'error',
      },
    },
  )
  expect(run('npm', ['run', '--silent', 'validate'], installed), /a-new-shop\.portico: valid/)
  const portico = (...args: string[]): string =>
    run(process.execPath, [join(installed, 'node_modules/portico/bin/portico.mjs'), ...args], installed)

  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  expect(portico('--version'), new RegExp(version.replaceAll('.', '\\.')))
  writeFileSync(join(installed, 'shop.portico'), readFileSync(join(ROOT, 'examples/stays/stays.portico')))
  expect(portico('validate', 'shop.portico'), /shop\.portico: valid \(4 services, 1 struct, \d+ endpoints\)/)
  portico('generate', 'shop.portico', '--output', 'shop', '--yes')
  portico('format', '--check', 'shop.portico')
  expect(portico('explain', 'unknown-type'), /type/)
  expect(portico('completion', 'bash'), /portico/)
  console.log(`${packed.filename} works: ${packed.files.length} files, ${Math.round(packed.size / 1000)} kB.`)
} finally {
  rmSync(directory, { recursive: true, force: true })
}
