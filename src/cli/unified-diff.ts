import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
import { changesFile, pathOf, type Action } from '../output/plan.ts'
import type { Colors } from './context.ts'
import { escapeControls } from './terminal-text.ts'

/** Longer files, in characters, are not compared: a diff that nobody reads would take long. */
const MAX_COMPARED = 1_000_000

/** The average line length from which a file is not meant to be read: minified JSON or SVG. */
const MINIFIED_LINE_LENGTH = 200

const NO_FILE = '/dev/null'

/** Returns the change of an action as a unified diff in color; empty if it changes nothing. */
export function unifiedDiff(action: Action, colors: Colors): string {
  if (!changesFile(action)) return ''
  const before = 'previous' in action && action.previous.kind === 'file' ? action.previous.text : undefined
  const after = 'file' in action ? action.file.content : undefined
  return textDiff(pathOf(action), before, after, colors)
}

/** Returns the difference of two texts as a unified diff in color. `undefined` stands for no file. */
export function textDiff(
  path: string,
  before: string | undefined,
  after: string | undefined,
  colors: Colors,
): string {
  const summary = `Files ${before === undefined ? NO_FILE : `a/${path}`} and ${after === undefined ? NO_FILE : `b/${path}`} differ`
  if ((before?.length ?? 0) + (after?.length ?? 0) > MAX_COMPARED || isMinified(after ?? before ?? ''))
    return summary
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
  if (patch === undefined) return summary
  return patch
    .trimEnd()
    .split('\n')
    .map((line) => escapeControls(line, false))
    .map((line, index) => (index < 2 ? colors.bold(line) : colored(line, colors)))
    .join('\n')
}

function isMinified(text: string): boolean {
  return text.length > MINIFIED_LINE_LENGTH * text.split('\n').length
}

function colored(line: string, colors: Colors): string {
  if (line.startsWith('@@')) return colors.cyan(line)
  if (line.startsWith('+')) return colors.green(line)
  return line.startsWith('-') ? colors.red(line) : line
}
