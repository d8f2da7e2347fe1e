import type { FoldingRangeProvider } from 'langium/lsp'
import { type FoldingRange, FoldingRangeKind } from 'vscode-languageserver'
import type { DefinitionParseResult } from '../language/parse-result.ts'
import { parseResultOf } from './parsed-document.ts'

/** Blocks, lists over several lines, and comments. */
export const folding: FoldingRangeProvider = {
  getFoldingRanges: (document) => {
    const result = parseResultOf(document)
    return [...bracketRanges(result), ...commentRanges(result)]
  },
}

/** Brackets over several lines, up to the line before the closing one. */
function bracketRanges({ tokens, lines }: DefinitionParseResult): FoldingRange[] {
  const found: FoldingRange[] = []
  const open: number[] = []
  for (let index = 0; index < tokens.length; index++) {
    switch (tokens.image(index)) {
      case '{':
      case '[':
      case '(':
        open.push(lines.lineAt(tokens.start(index)) - 1)
        break
      case '}':
      case ']':
      case ')': {
        const startLine = open.pop()
        const endLine = lines.lineAt(tokens.start(index)) - 2
        if (startLine !== undefined && endLine > startLine) found.push({ startLine, endLine })
      }
    }
  }
  return found
}

/** Comments over several lines, and line comments on consecutive lines. */
function commentRanges({ comments: list, lines }: DefinitionParseResult): FoldingRange[] {
  const found: FoldingRange[] = []
  let run: { startLine: number; endLine: number } | undefined
  const end = (): void => {
    if (run !== undefined && run.endLine > run.startLine)
      found.push({ ...run, kind: FoldingRangeKind.Comment })
    run = undefined
  }
  for (let index = 0; index < list.length; index++) {
    const startLine = lines.lineAt(list.start(index)) - 1
    const endLine = lines.lineAt(list.end(index)) - 1
    const continues = run?.endLine === startLine - 1 && lines.beginsLine(list.start(index))
    if (run !== undefined && continues && startLine === endLine) {
      run.endLine = endLine
      continue
    }
    end()
    run = { startLine, endLine }
    if (startLine !== endLine || !lines.beginsLine(list.start(index))) end()
  }
  end()
  return found
}
