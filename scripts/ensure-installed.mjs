// Installs missing dependencies before a script of package.json runs. Plain JavaScript for every Node since 18,
// because a fresh clone runs it before the project's own Node is installed.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

/** Returns the packages of a lock file; none if it is missing or damaged. */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(join(ROOT, file), 'utf8')).packages ?? {}
  } catch {
    return {}
  }
}

/** Installs what the lock file of a folder lists, relative to the root, unless it is installed. Ends the process if it fails. */
export function installIn(folder) {
  // npm writes the hidden lock file last, after everything in it is installed. It lacks optional packages for other
  // systems.
  const installed = packagesOf(join(folder, 'node_modules/.package-lock.json'))
  const isStale = Object.entries(packagesOf(join(folder, 'package-lock.json'))).some(
    ([path, entry]) => path !== '' && !entry.optional && installed[path]?.version !== entry.version,
  )
  if (!isStale) return

  process.stderr.write('Installing dependencies (once, about a minute)...\n')
  // `npm_execpath` is the npm that runs this script. On Windows, `npm` itself cannot be spawned.
  const npm = process.env.npm_execpath
  const [command, ...prefix] = npm === undefined ? ['npm'] : [process.execPath, npm]
  const run = spawnSync(command, [...prefix, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: join(ROOT, folder),
    stdio: ['ignore', 2, 2],
    // Development dependencies are needed whatever the caller's environment says.
    env: { ...process.env, NODE_ENV: 'development', npm_config_production: undefined },
  })
  if (run.status !== 0) {
    process.stderr.write(
      'error: Could not install the dependencies; see the output of npm above\nhelp: fix the cause and run the command again, or run `npm ci`\n',
    )
    process.exit(3)
  }
}

installIn('.')
