import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'

// Clones the committed repository and runs the first commands of the README there: `node scripts/check-clone.ts`.

const ROOT = join(import.meta.dirname, '..')
// Installation from a slow registry or on a busy machine takes minutes.
const START_MS = 600_000
const clone = mkdtempSync(join(tmpdir(), 'portico-clone-'))
// A fresh clone has only the Node and npm of the system.
const path = (process.env['PATH'] ?? '').split(delimiter).filter((entry) => !entry.includes('node_modules'))

try {
  execFileSync('git', ['clone', '--quiet', ROOT, clone])
  const child = spawn('npm', ['start', '--', '--port', '0'], {
    cwd: clone,
    env: { ...process.env, PATH: path.join(delimiter) },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A process group, as in a shell: a signal to npm also reaches the processes that it started.
    detached: true,
  })
  const exited = once(child, 'exit')
  try {
    const gateway = await new Promise<string>((resolve, reject) => {
      setTimeout(() => reject(new Error('npm start did not print GATEWAY_ENTRY=')), START_MS).unref()
      void exited.then(([status]) => reject(new Error(`npm start ended with ${status}`)))
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.startsWith('GATEWAY_ENTRY=')) resolve(line.slice('GATEWAY_ENTRY='.length))
      })
    })
    const registered = await fetch(`http://${gateway}/api/auth/register`, {
      method: 'POST',
      body: JSON.stringify({ email: 'ada@example.org', password: 'difference engine' }),
    })
    const { AccessToken } = (await registered.json()) as { AccessToken?: string }
    const list = await fetch(`http://${gateway}/api/home/all`, {
      headers: { authorization: `Bearer ${AccessToken}` },
    })
    const text = await list.text()
    if (text !== '{"HomeList":[]}') throw new Error(`Expected an empty list, got ${list.status}: ${text}`)
    console.log('npm start on a fresh clone serves the example.')
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    await exited
  }
} finally {
  rmSync(clone, { recursive: true, force: true })
}
