// A process that writes NEW into a directory and ends itself with SIGKILL before one of its changes:
// `node write-and-die.ts <directory> <number of the change> [number of a change that is refused]`.
import { updateProject } from '../../src/output/update-project.ts'
import { NEW } from './interrupted-writes.ts'
import { systemError, watchChanges } from './project.ts'

const [root = '', killed, refused] = process.argv.slice(2)
using _watch = watchChanges((number, { name, paths }) => {
  if (number === Number(killed)) process.kill(process.pid, 'SIGKILL')
  if (number === Number(refused)) throw systemError('EACCES', name, paths[0] ?? '')
})
const outcome = await updateProject(root, NEW, { overwrite: true })
process.exitCode = outcome.ok ? 0 : 1
