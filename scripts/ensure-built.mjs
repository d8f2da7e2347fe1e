// Bundles the command line anew where a source file is younger than the bundle. Runs after ensure-installed.mjs.
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** When the youngest file in a directory or below it was changed, in ms since 1970. */
function youngest(directory) {
  const times = readdirSync(directory, { withFileTypes: true }).map((entry) => {
    const path = join(directory, entry.name)
    return entry.isDirectory() ? youngest(path) : statSync(path).mtimeMs
  })
  return Math.max(0, ...times)
}

/** When the bundle was made; 0 where there is none. */
function built() {
  try {
    return statSync(join(root, 'dist/cli/main.mjs')).mtimeMs
  } catch {
    return 0
  }
}

if (Math.max(youngest(join(root, 'src')), youngest(join(root, 'explorer'))) > built()) {
  const run = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { stdio: ['ignore', 2, 2] })
  process.exit(run.status === 0 ? 0 : 3)
}
