import type { Block } from '../generated/ast.ts'
import { spanOf } from '../syntax/places.ts'
import type { CheckContext } from './context.ts'

/**
 * What an editor remembers of a definition from one text to the next: the blocks that no check found anything
 * about. While a block is written as it was, and what it could be affected by has not changed, there is nothing
 * to be found about it either. Findings are not kept, so that none can be out of date.
 */
export class CheckMemory {
  #surroundings: string | undefined
  #clean: ReadonlySet<string> = new Set()

  /** Begins to check a text. */
  recall(context: CheckContext): Recall {
    const surroundings = surroundingsOf(context)
    const known = surroundings === undefined || surroundings !== this.#surroundings ? NOTHING : this.#clean
    const clean = new Set<string>()
    return {
      isClean: (text) => {
        const isKnown = known.has(text)
        if (isKnown) clean.add(text)
        return isKnown
      },
      note: (text) => clean.add(text),
      // In a broken text findings are held back that may be none: what is clean there may not be so elsewhere.
      end: () => {
        if (context.hasSyntaxErrors) return
        this.#surroundings = surroundings
        this.#clean = clean
      },
    }
  }
}

/** What is remembered while one text is checked. */
export interface Recall {
  /** Whether nothing can be found about a block that is written so. */
  readonly isClean: (text: string) => boolean
  /** Nothing was found about it. */
  readonly note: (text: string) => void
  /** Everything was checked. */
  readonly end: () => void
}

const NOTHING: ReadonlySet<string> = new Set()

/**
 * Everything outside of a block that checks of the block look at, as text: which blocks there are and where, the
 * project, whether there are users. `undefined` where two blocks have one name, and it matters which is first.
 */
function surroundingsOf({ facts, tree }: CheckContext): string | undefined {
  const { authMethod, auths, blocks, project } = facts
  const names = new Set<string>()
  const parts = [String(authMethod !== undefined), String(auths.length)]
  if (project !== undefined) parts.push(textOf(project, tree.text))
  for (const { name, kind, $container } of blocks) {
    if (names.has(name)) return undefined
    names.add(name)
    parts.push(name, kind, $container.$type === 'Block' ? $container.name : '')
  }
  return parts.join('\n')
}

/** A block as it is written. */
export function textOf(block: Block, text: string): string {
  const { start, end } = spanOf(block)
  return text.slice(start, end)
}
