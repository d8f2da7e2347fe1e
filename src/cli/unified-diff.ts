import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
import { changes, type Action } from '../output/plan.ts'
import type { Colors } from './context.ts'

/** Files beyond this many characters are only said to differ: telling how takes time, and nobody reads it. */
const MAX_COMPARED = 1_000_000

const NO_FILE = '/dev/null'

/** What an action changes in a file as a unified diff with coloured lines; empty where it changes nothing. */
export function unifiedDiff(action: Action, colors: Colors): string {
  if (!changes(action)) return ''
  const path = 'file' in action ? action.file.path : action.path
  const before = 'previous' in action && action.previous.kind === 'file' ? action.previous.text : undefined
  const after = 'file' in action ? action.file.content : undefined
  if ((before?.length ?? 0) + (after?.length ?? 0) > MAX_COMPARED)
    return `Files a/${path} and b/${path} differ`
  const patch = createTwoFilesPatch(
    before === undefined ? NO_FILE : `a/${path}`,
    after === undefined ? NO_FILE : `b/${path}`,
    before ?? '',
    after ?? '',
    undefined,
    undefined,
    {
      stripTrailingCr: true,
      timeout: 2000,
      headerOptions: FILE_HEADERS_ONLY,
    },
  )
  if (patch === undefined) return `Files a/${path} and b/${path} differ`
  return patch
    .trimEnd()
    .split('\n')
    .map((line, index) => (index < 2 ? colors.bold(line) : colored(line, colors)))
    .join('\n')
}

function colored(line: string, colors: Colors): string {
  if (line.startsWith('@@')) return colors.cyan(line)
  if (line.startsWith('+')) return colors.green(line)
  return line.startsWith('-') ? colors.red(line) : line
}
