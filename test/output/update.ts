// A process that brings a directory up to date and prints what came of it:
// `node update.ts <directory> <files as JSON> [hold]`. With `hold` it keeps the lock, once it has it, until it
// is ended, and prints a line when it does.
import { statePaths } from '../../src/output/state-paths.ts'
import { tryLock } from '../../src/output/lock.ts'
import { updateProject } from '../../src/output/update-project.ts'
import { generation } from './project.ts'

const [root = '', files = '{}', hold] = process.argv.slice(2)
if (hold === 'hold') {
  if (tryLock(statePaths(root).lock) === undefined) throw new Error('The lock is taken.')
  process.stdout.write('held\n')
  setInterval(() => undefined, 60_000)
} else {
  const outcome = await updateProject(root, generation(JSON.parse(files) as Record<string, string>))
  const { code, message } = outcome.ok ? {} : outcome.error
  process.stdout.write(JSON.stringify(outcome.ok ? { ok: true } : { ok: false, error: { code, message } }))
}
