import type { BlockKind } from '../../builtins.ts'
import { otherLanguages } from '../../other-languages.ts'
import { printable, quote } from '../../quote.ts'
import type { SyntaxMessage } from './syntax-message.ts'

/** `Home {` or `Home: {`. `kind` is what the block most likely is. */
export function missingBlockKind(name: string, kind: BlockKind, hasColon: boolean): SyntaxMessage {
  return {
    code: 'missing-token',
    message: `Missing block kind after ${quote(name)}`,
    help: `write \`${printable(name)}: ${kind} {\``,
    data: { insertion: hasColon ? ` ${kind}` : `: ${kind}` },
  }
}

/** `project {` */
export function missingBlockName(kind: string): SyntaxMessage {
  return {
    code: 'missing-token',
    message: `Missing name before \`${kind}\``,
    help: `for example \`${kind === 'project' ? 'Shop' : 'Item'}: ${kind} {\``,
  }
}

/** `enum Status {` and `datasource db {`: a block that only other languages have. */
export function foreignBlock(word: string): SyntaxMessage {
  return {
    code: 'unknown-block-kind',
    message: `Unknown block kind ${quote(word)}`,
    help: otherLanguages.blockKind(word) ?? 'a block is declared `Name: service { ... }`',
  }
}

/** `Home: service` without `{`. `isEmpty` where no member follows. */
export function missingOpeningBrace(head: string, isEmpty: boolean): SyntaxMessage {
  return {
    code: 'missing-token',
    message: `Expected \`{\` after \`${head}\``,
    data: { insertion: isEmpty ? ' {}' : ' {' },
  }
}

/** `Home: service (`: another bracket in place of `{`. */
export function bracketForOpeningBrace(head: string): SyntaxMessage {
  return { code: 'unexpected-token', message: `Expected \`{\` after \`${head}\``, data: { replacement: '{' } }
}

/** Words between the head of a block and its `{`. */
export function wordsBeforeBrace(found: string): SyntaxMessage {
  return {
    code: 'unexpected-token',
    ...(/^(?:extends|implements|inherits)$/.test(found)
      ? {
          message: 'Inheritance is not supported',
          help: 'repeat the attributes, or refer to the other service',
        }
      : { message: `Unexpected ${quote(found)}`, help: 'a block is declared `Name: service { ... }`' }),
  }
}

/** The `}` of a block is missing. */
export function unclosedBlock(name: string): SyntaxMessage {
  return { code: 'unclosed-block', message: `Missing \`}\` to close ${quote(name)}` }
}

/** The label of the place where the `}` probably belongs. */
export function probableEnd(name: string): string {
  return `${quote(name)} probably ends here`
}

/** `}` without a block that it could close. */
export function unmatchedBrace(): SyntaxMessage {
  return {
    code: 'unexpected-token',
    message: 'Unmatched `}`',
    help: 'an earlier `}` may close a block too soon',
    data: { replacement: '' },
  }
}

/** `)` or `]` in place of the `}` that closes a block. */
export function bracketForClosingBrace(found: string): SyntaxMessage {
  return {
    code: 'unexpected-token',
    message: `Unexpected \`${found}\``,
    help: 'did you mean `}`?',
    data: { replacement: '}' },
  }
}
