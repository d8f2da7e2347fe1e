import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

const ROOT = join(import.meta.dirname, '../..')
const EXAMPLES = join(ROOT, 'examples')
/** Inside the repository, so that generated services find their dependencies in its node_modules. */
export const WORK = join(import.meta.dirname, '.work')

/** The files of an example that its user writes, below `platform/`: those that .gitignore tracks. */
export function userFilesOf(name: string): string[] {
  const tracked = readFileSync(join(EXAMPLES, '.gitignore'), 'utf8').split('\n')
  const start = `!/${name}/platform/`
  const patterns = tracked.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length))
  return globSync(patterns, { cwd: join(EXAMPLES, name, 'platform') })
}

/** One directory of `examples/`. */
export interface Example {
  readonly name: string
  readonly definition: string
  readonly readme: string
  /** Whether its services are in Go, which only the acceptance tests of `go` have. */
  readonly isInGo: boolean
  /** The options of `portico dev` in its README. */
  readonly options: readonly string[]
  /** The variables before `portico dev` in its README. */
  readonly environment: Readonly<Record<string, string>>
}

/** The examples whose READMEs have commands to run. */
export const EXAMPLES_TO_RUN: readonly Example[] = readdirSync(EXAMPLES)
  .filter((name) => existsSync(join(EXAMPLES, name, 'README.md')))
  .map((name) => {
    const definition =
      readdirSync(join(EXAMPLES, name)).find((file) => /\.(portico|temple)$/.test(file)) ?? ''
    const options = name === 'temple' ? ['--language', 'typescript'] : []
    return {
      name,
      isInGo: name === 'toolshed',
      definition: join(EXAMPLES, name, definition),
      readme: join(EXAMPLES, name, 'README.md'),
      options,
      environment: name === 'field' ? { PAYMENT_SECRET: 'from-the-provider' } : {},
    }
  })

/** An example that runs on its own port, with its own data. */
export interface RunningExample {
  /** `localhost:12345`. */
  readonly gateway: string
  /** Its generated project. */
  readonly output: string
  /** Stops it and removes everything that it wrote. */
  stop(): Promise<void>
}

/** Runs an example as its README says, in a directory that holds copies of its user's files, and of these by path. */
export async function startExample(
  { name, definition, options, environment }: Example,
  userFiles: Readonly<Record<string, string>> = {},
): Promise<RunningExample> {
  mkdirSync(WORK, { recursive: true })
  const output = mkdtempSync(join(WORK, `${name}-`))
  const platform = join(EXAMPLES, name, 'platform')
  for (const file of userFilesOf(name)) {
    mkdirSync(dirname(join(output, file)), { recursive: true })
    copyFileSync(join(platform, file), join(output, file))
  }
  for (const [file, content] of Object.entries(userFiles)) {
    mkdirSync(dirname(join(output, file)), { recursive: true })
    writeFileSync(join(output, file), content)
  }
  const portico = join(ROOT, 'bin/portico.mjs')
  const args = ['dev', definition, '--output', output, '--port', '0', '--no-watch', '--yes', ...options]
  const child = spawn(process.execPath, [portico, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...environment, PORTICO_SOURCE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const exited = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await exited
    removePlatform(output)
  }
  try {
    const gateway = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        said += `${line}\n`
        if (line.startsWith('GATEWAY_ENTRY=')) resolve(line.slice('GATEWAY_ENTRY='.length))
      })
      void exited.then(([status]) => reject(new Error(`portico dev ended with ${status}:\n${said}`)))
    })
    return { gateway, output, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Removes a directory and the databases of the platforms in it. */
export function removePlatform(directory: string): void {
  // For root, the database is in another directory, which this file names.
  for (const note of globSync(join(directory, '{*/,}.portico/**/*.location'))) {
    rmSync(readFileSync(note, 'utf8').trim(), { recursive: true, force: true })
  }
  rmSync(directory, { recursive: true, force: true })
}

/** The README of the repository, whose commands use this example. */
export const FIRST: Example = {
  name: 'stays',
  isInGo: false,
  definition: join(EXAMPLES, 'stays/stays.portico'),
  readme: join(ROOT, 'README.md'),
  options: [],
  environment: {},
}

/** The README of an example. */
export function readReadme(example: Example): string {
  return readFileSync(example.readme, 'utf8')
}
