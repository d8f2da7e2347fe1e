// Runs the command line in a fresh clone: installs the dependencies, then starts Portico on the Node that is one
// of them. Plain JavaScript for every Node since 18.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './ensure-installed.mjs'

const installed = join(ROOT, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node')
const node = existsSync(installed) ? installed : process.execPath
const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' })
// A terminal sends Ctrl-C to both processes: this one waits until the other has stopped.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
