import { metadataExample } from '../../builtin-examples.ts'
import { type BlockKind, metadataNamed, typeNamed } from '../../builtins.ts'
import { otherLanguages } from '../../other-languages.ts'
import { printable, quote } from '../../quote.ts'
import { type SyntaxMessage, unexpected } from './syntax-message.ts'
import { listType } from './attributes.ts'
import { quotedValue } from './values.ts'

/** A declaration cannot begin with this token. */
export function unexpectedStart(found: string | undefined, isTopLevel: boolean): SyntaxMessage {
  if (found?.startsWith('"')) return { ...quotedValue(found), message: 'Names are not quoted' }
  return {
    ...unexpected(found),
    help: isTopLevel
      ? 'only `project` and `service` are allowed at the top level'
      : 'an attribute is declared `name: type;`',
  }
}

/** `name string`: the colon is missing between two words. */
export function missingColon(name: string): SyntaxMessage {
  return { code: 'missing-token', message: `Expected \`:\` after ${quote(name)}`, data: { insertion: ':' } }
}

/** `name; string;` and `max = 5`: another sign in place of the colon. */
export function signForColon(name: string): SyntaxMessage {
  return {
    code: 'unexpected-token',
    message: `Expected \`:\` after ${quote(name)}`,
    data: { replacement: ':' },
  }
}

/**
 * `omit[delete]` without its `#`, or `private name`: a first word that is not a name.
 *
 * @param found the token that follows
 */
export function misreadWord(word: string, found: string): SyntaxMessage | undefined {
  const code = 'unexpected-token'
  const metadata = metadataNamed(word)
  if (metadata !== undefined && /^[([;]$/.test(found)) {
    const { parameter } = metadata
    const example = parameter === undefined ? `#${word}` : metadataExample(word, parameter)
    return {
      code,
      message: 'Metadata begins with `#`',
      help: `for example \`${example}\``,
      data: { replacement: `#${word}` },
    }
  }
  // `public bool;` lacks its colon.
  const modifier = typeNamed(found) === undefined ? otherLanguages.modifier(word) : undefined
  return modifier !== undefined && /^\w/.test(found)
    ? { code, message: `Unexpected \`${word}\``, help: modifier }
    : undefined
}

/**
 * A name without colon and type.
 *
 * @param found the token that follows; `undefined` at the end of the text
 * @param kind what a block would be at this place
 */
export function missingColonAndType(name: string, found: string | undefined, kind: BlockKind): SyntaxMessage {
  const code = 'unexpected-token'
  const shown = printable(name)
  if (found === '(' && kind !== 'service')
    return {
      code,
      message: 'Methods are not supported',
      help: 'write hooks and routes in `src/setup.ts` of the generated service',
    }
  if (/^\p{Lu}/u.test(name))
    return { code, message: `\`${shown}\` needs a kind, for example \`${shown}: ${kind} {}\`` }
  // Only services can be declared where there are no structs.
  if (kind === 'service')
    return {
      code,
      message: `Expected \`:\` after \`${shown}\``,
      help: 'only `project` and `service` are allowed at the top level',
    }
  return { code, message: `\`${shown}\` needs a type, for example \`${shown}: string;\`` }
}

/** `name:` or `name :=` without a type. */
export function missingType(name: string, found: string): SyntaxMessage {
  if (found === '[') return listType(found)
  if (found.startsWith('"'))
    return quotedValue(
      found,
      typeNamed(found.slice(1, -1)) === undefined ? 'for a choice, use `enum(open, closed)`' : undefined,
    )
  const shown = printable(name)
  const message = `Missing type after \`${shown}:\``
  const help = found === '=' ? { help: `write \`${shown}: string;\`, without \`=\`` } : {}
  return { code: 'unexpected-token', message, ...help }
}

/** `service Home` or `string name`. `corrected` is the declaration in Portico's syntax. */
export function nameAfterType(corrected: string): SyntaxMessage {
  return {
    code: 'unexpected-token',
    message: 'The name must come first',
    help: `write \`${corrected}\``,
    data: { replacement: corrected },
  }
}

/** `;` is missing after a whole declaration, which ends in `last`. */
export function missingSemicolon(last: string): SyntaxMessage {
  return {
    code: 'missing-semicolon',
    message: `Expected \`;\` after ${quote(last)}`,
    data: { insertion: ';' },
  }
}

/** A comma ends a declaration. */
export function commaForSemicolon(last: string): SyntaxMessage {
  return {
    code: 'unexpected-token',
    message: `Expected \`;\` after ${quote(last)}`,
    help: 'declarations are separated by `;`',
    data: { replacement: ';' },
  }
}

/** `import hosts;`, `include "hosts.portico";` */
export function malformedImport(): SyntaxMessage {
  return { code: 'unexpected-token', message: 'Invalid import', help: 'write `import "hosts.portico";`' }
}

/** An import in a block. */
export function importInBlock(): SyntaxMessage {
  return { code: 'misplaced-import', message: 'Imports belong at the top of the file' }
}

/** `"""documentation"""` */
export function docstring(text: string): SyntaxMessage {
  const content = text.slice(3, -3).trim()
  return {
    code: 'unexpected-token',
    message: 'Documentation is written in comments',
    help: 'write `/// ...` before the declaration',
    ...(content === '' || /[\n\r]/.test(text) ? {} : { data: { replacement: `/// ${content}` } }),
  }
}
