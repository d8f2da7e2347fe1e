// Bundles the command line if a source file is newer than the bundle. Runs after ensure-installed.mjs.
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Returns when the newest file in a directory was modified, in ms since 1970. */
function newest(directory) {
  const times = readdirSync(directory, { withFileTypes: true }).map((entry) => {
    const path = join(directory, entry.name)
    return entry.isDirectory() ? newest(path) : statSync(path).mtimeMs
  })
  return Math.max(0, ...times)
}

/** Returns when the bundle was built, in ms since 1970; 0 if it does not exist. */
function bundleTime() {
  try {
    return statSync(join(root, 'dist/cli/main.mjs')).mtimeMs
  } catch {
    return 0
  }
}

if (Math.max(newest(join(root, 'src')), newest(join(root, 'explorer'))) > bundleTime()) {
  process.stderr.write('Building Portico (a few seconds)...\n')
  const run = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: ['ignore', 2, 2] })
  process.exit(run.status === 0 ? 0 : 3)
}
