import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { packCreatePortico, packPortico } from './pack.ts'
import { type Registry, startRegistry } from './registry.ts'

const MANAGERS = path.join(
  process.env['PORTICO_CI_HOME'] ?? '/var/tmp/portico-ci',
  'package-managers/node_modules',
)

interface PackageManager {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun'
  /** Where it was installed; `undefined` for the npm on the path. */
  readonly program?: string
  /** Creates the project in the directory that follows. */
  readonly create: readonly string[]
  /** Between the directory and the options of create-portico. */
  readonly separator: readonly string[]
  /** Runs the script `dev`, with the options that follow. */
  readonly dev: readonly string[]
  readonly directory: string
  readonly hasLimit: boolean
}

const COMMON = { separator: [], directory: 'my shop', hasLimit: true }

/** The versions that `.ci/install/package-managers` installs. */
const PACKAGE_MANAGERS: Readonly<Record<string, PackageManager>> = {
  npm: {
    ...COMMON,
    name: 'npm',
    create: ['create', 'portico@latest'],
    separator: ['--'],
    dev: ['run', 'dev', '--'],
  },
  pnpm: { ...COMMON, name: 'pnpm', program: '.bin/pnpm', create: ['create', 'portico@latest'], dev: ['dev'] },
  yarn: {
    ...COMMON,
    name: 'yarn',
    program: '@yarnpkg/cli-dist/bin/yarn.js',
    create: ['create', 'portico'],
    dev: ['dev'],
  },
  // Its `create` passes arguments through a shell without quotes. It downloads the whole history of each package.
  'yarn 1': {
    ...COMMON,
    name: 'yarn',
    program: 'yarn/bin/yarn.js',
    create: ['create', 'portico'],
    dev: ['dev'],
    directory: 'shop',
    hasLimit: false,
  },
  bun: {
    ...COMMON,
    name: 'bun',
    program: '.bin/bun',
    create: ['create', 'portico@latest'],
    dev: ['run', 'dev'],
  },
}

/** How long it may take from nothing to a registered user, in milliseconds, on two idle cores. */
const LIMIT_MS = 30_000
/** How much longer a machine may take that does something else, too. */
const ALLOWANCE = Number(process.env['PORTICO_CREATE_ALLOWANCE'] ?? '1')

let directory = ''
let registry: Registry
/** Without what the package manager that runs the tests tells its scripts. */
const base = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_|^PORTICO_SOURCE$/i.test(name)),
)
base['PATH'] = `${path.dirname(process.execPath)}${path.delimiter}${base['PATH']}`

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'portico-create-'))
  const packages = [packPortico(directory, base), packCreatePortico(directory, base)]
  const upstream = process.env['npm_config_registry'] ?? 'https://registry.npmjs.org/'
  registry = await startRegistry(packages, upstream)
})

afterAll(() => {
  registry?.stop()
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
})

test.for(Object.entries(PACKAGE_MANAGERS))(
  '%s: from nothing to a registered user',
  { retry: 2, timeout: 600_000 },
  async ([, { name, program, create, separator, dev, directory: project, hasLimit }], { annotate }) => {
    const place = mkdtempSync(path.join(directory, 'place of '))
    const home = mkdtempSync(path.join(directory, 'home-'))
    writeFileSync(path.join(home, '.npmrc'), `registry=${registry.url}\n`)
    const bin = path.join(home, 'bin')
    mkdirSync(bin)
    if (program !== undefined) symlinkSync(path.join(MANAGERS, program), path.join(bin, name))
    const env = {
      ...base,
      // Package managers are stricter on a build server.
      CI: 'true',
      PATH: `${bin}${path.delimiter}${base['PATH']}`,
      HOME: home,
      // Where Yarn 1 puts the program that it runs, and what it passes on to it.
      PREFIX: home,
      YARN_REGISTRY: registry.url,
      YARN_NPM_REGISTRY_SERVER: registry.url,
      YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
      // Nothing may come from elsewhere, and nothing may be left behind.
      XDG_CACHE_HOME: path.join(home, 'cache'),
      XDG_DATA_HOME: path.join(home, 'data'),
      XDG_CONFIG_HOME: path.join(home, 'config'),
      PNPM_HOME: path.join(home, 'pnpm'),
      BUN_INSTALL: path.join(home, 'bun'),
    }
    const start = (args: readonly string[], cwd: string) => {
      const child = spawn(name, args, {
        cwd,
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let text = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (more: string) => (text += more))
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
      onTestFinished(async () => {
        try {
          if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
        } catch {
          // It has ended.
        }
        await ended
      })
      return { text: () => text, ended }
    }

    let hasEnded = false
    const began = performance.now()
    const created = start([...create, project, ...separator, '--language', 'typescript'], place)
    expect(await created.ended, created.text()).toBe(0)
    const quoted = project.includes(' ') ? `'${project}'` : project
    expect(created.text()).toContain(`Next:\n  cd ${quoted}\n`)
    const shop = path.join(place, project)
    const platform = start([...dev, '--port', '0', '--no-watch'], shop)
    const address = () => /GATEWAY_ENTRY=(\S+)/.exec(platform.text())?.[1]
    void platform.ended.then(() => (hasEnded = true))
    await expect.poll(() => hasEnded || address() !== undefined, { timeout: 120_000 }).toBe(true)
    expect(address(), platform.text()).toBeDefined()
    const response = await fetch(`http://${address()}/api/auth/register`, {
      method: 'POST',
      body: JSON.stringify({ email: 'ada@example.com', password: 'long enough' }),
    })
    const milliseconds = performance.now() - began
    expect(response.status).toBe(201)
    await annotate(`From nothing to a registered user: ${(milliseconds / 1000).toFixed(1)} s.`)
    if (hasLimit) expect(milliseconds).toBeLessThan(LIMIT_MS * ALLOWANCE)

    const kebab = project.replace(' ', '-')
    const { scripts } = JSON.parse(readFileSync(path.join(shop, 'package.json'), 'utf8')) as {
      scripts: object
    }
    expect(scripts).toHaveProperty('dev', `portico dev ${kebab}.portico`)
    for (const file of [`${kebab}.portico`, `${kebab}/AGENTS.md`, 'node_modules/portico/package.json'])
      expect(existsSync(path.join(shop, file)), file).toBe(true)
  },
)
