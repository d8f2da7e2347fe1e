import { SYNTAX } from '../../diagnostics/entries/syntax.ts'
import { countErrors, type Diagnostic } from '../../diagnostics/diagnostic.ts'
import { checkText, readText } from '../parse.ts'
import type { Read } from '../syntax/read.ts'
import { CLOSE_BRACE, OPEN_BRACE, SEMICOLON } from '../syntax/tokens.ts'
import { applyEdits } from './edits.ts'
import { alternative, type Fix, preferred } from './fix.ts'
import { fixesOf } from './fixes.ts'

/**
 * The ways to mend a diagnostic, the likeliest first, judged by what comes of them where brackets or words are
 * amiss, for there a finding may stand far from the slip: a way that brings errors is none, and one after which
 * there are as many is not preferred.
 *
 * @param diagnostics all of the text
 */
export function judgedFixesOf(diagnostic: Diagnostic, read: Read, diagnostics: readonly Diagnostic[]): Fix[] {
  const fixes = [...strayBraces(diagnostic, read), ...fixesOf(diagnostic, read)]
  if (!Object.hasOwn(SYNTAX, diagnostic.code)) return fixes
  const before = countErrors(diagnostics)
  let hasPreferred = false
  return fixes.flatMap((fix) => {
    const now = countErrors(checkText(applyEdits(read.tree.text, fix.edits)).diagnostics)
    if (now > before) return []
    if (now === before || hasPreferred) return [alternative(fix.title, ...fix.edits)]
    hasPreferred = fix.preferred
    return [fix]
  })
}

/** How many braces are tried. */
const MOST_BRACES = 8

/** The `}` within a line that closes a block too early, so that a later one closes nothing. */
function strayBraces({ code, data, range }: Diagnostic, { tree }: Read): Fix[] {
  const { text, tokens, lines } = tree
  const reported = range.start.offset
  if (code !== 'unexpected-token' || data?.replacement !== '' || text[reported] !== '}') return []
  let tried = 0
  for (let index = tokens.firstFrom(reported) - 1; index >= 0 && tried < MOST_BRACES; index--) {
    const start = tokens.start(index)
    if (tokens.kind(index) !== CLOSE_BRACE || lines.beginsLine(start)) continue
    tried++
    const isEnded = [SEMICOLON, OPEN_BRACE, CLOSE_BRACE].includes(tokens.kind(index - 1))
    const by = isEnded || tokens.kind(index + 1) === SEMICOLON ? '' : ';'
    const edit = { start, end: start + 1, text: by }
    const { findings, definition } = readText(applyEdits(text, [edit]))
    if (findings.count === 0 && definition.strays.length === 0)
      return [
        preferred(`${by === '' ? 'Remove' : 'Write `;` for'} the \`}\` in line ${lines.lineAt(start)}`, edit),
      ]
  }
  return []
}
