import type { FoldingRangeProvider } from 'langium/lsp'
import { type FoldingRange, FoldingRangeKind } from 'vscode-languageserver'
import type { Read } from '../syntax/read.ts'
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
} from '../syntax/tokens.ts'
import { editorDocument } from './document.ts'

/** Blocks, lists over several lines, and comments. */
export const folding: FoldingRangeProvider = {
  getFoldingRanges: (document) => {
    const { read } = editorDocument(document)
    return [...brackets(read), ...comments(read)]
  },
}

/** Whatever stands in brackets over several lines, up to the line before the closing one. */
function brackets({ tree: { tokens, lines } }: Read): FoldingRange[] {
  const found: FoldingRange[] = []
  const open: number[] = []
  for (let index = 0; index < tokens.length; index++) {
    switch (tokens.kind(index)) {
      case OPEN_BRACE:
      case OPEN_BRACKET:
      case OPEN_PAREN:
        open.push(lines.lineAt(tokens.start(index)) - 1)
        break
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
      case CLOSE_PAREN: {
        const startLine = open.pop()
        const endLine = lines.lineAt(tokens.start(index)) - 2
        if (startLine !== undefined && endLine > startLine) found.push({ startLine, endLine })
      }
    }
  }
  return found
}

/** Comments over several lines, and line comments in lines that follow each other. */
function comments({ tree: { comments: list, lines } }: Read): FoldingRange[] {
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
