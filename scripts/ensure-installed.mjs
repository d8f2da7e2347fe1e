// Installs what is missing before a job of package.json runs. Plain JavaScript for any Node from 18 on: it
// is what a fresh clone starts with, before the project's own Node is there.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The packages that a lock file names, or none where it is not there or not whole. */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages ?? {}
  } catch {
    return {}
  }
}

// npm writes the hidden lock file last, when everything that it names is in place. Optional packages may be
// missing from it: they are for other systems.
const installed = packagesOf('node_modules/.package-lock.json')
const stale = Object.entries(packagesOf('package-lock.json')).some(
  ([path, entry]) => path !== '' && !entry.optional && installed[path]?.version !== entry.version,
)

if (stale) {
  process.stderr.write('Installing what Portico needs (once, about a minute)...\n')
  // `npm_execpath` is the npm that runs this script; Windows has no `npm` that can be spawned.
  const npm = process.env.npm_execpath
  const [command, ...first] = npm === undefined ? ['npm'] : [process.execPath, npm]
  const run = spawnSync(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    // `ci` installs development dependencies, whatever the caller's environment says.
    env: { ...process.env, NODE_ENV: 'development', npm_config_production: undefined },
  })
  if (run.status !== 0) {
    process.stderr.write(
      'The installation failed; what npm said stands above. Mend it and run the command again, or run `npm ci` yourself.\n',
    )
    process.exit(3)
  }
}
