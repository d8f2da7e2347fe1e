import { annotationExample, metadataExample } from '../../builtin-examples.ts'
import { type AnnotationEntry, annotationNamed, metadataNamed, type Parameter } from '../../builtins.ts'
import { type SyntaxMessage, unexpected } from './syntax-message.ts'

/** `#` without a name. */
export function missingMetadataName(): SyntaxMessage {
  return { code: 'unexpected-token', message: 'Missing metadata name after `#`' }
}

/** `#language: go` or `#omit room`: a value without brackets, or a comment as other languages write it. */
export function unexpectedAfterMetadata(metadata: string, found: string): SyntaxMessage {
  const parameter = metadataNamed(metadata)?.parameter
  const isValue = parameter !== undefined && (found === ':' || isWordOf(parameter, found))
  if (!isValue) return { ...unexpected(found), help: 'comments begin with `//`' }
  const example = metadataExample(metadata, parameter)
  return { ...unexpected(found), help: `for example \`${example}\`` }
}

function isWordOf({ name, kind, values }: Parameter, word: string): boolean {
  if (kind === 'services' || kind === 'name') return /^\p{Lu}/u.test(word)
  if (kind === 'attributes') return /^\p{Ll}/u.test(word)
  return word === name || values.some((value) => value.name === word || value.aliases.includes(word))
}

/** `@readable(by: all);`, or `@unique` or `@@unique` on its own line. `name` is the token after the `@`. */
export function annotationBeforeAttribute(name: string): SyntaxMessage {
  if (name === '@')
    return {
      ...unexpected('@'),
      message: 'Metadata begins with `#`',
      help: 'for example `#unique[name, city];`',
    }
  return metadataNamed(name) !== undefined && annotationNamed(name) === undefined
    ? { ...unexpected('@'), message: 'Metadata begins with `#`', data: { replacement: '#' } }
    : {
        ...unexpected('@'),
        help: 'annotations are written after the type, for example `name: string @unique;`',
      }
}

/** `@` without a name. */
export function missingAnnotationName(): SyntaxMessage {
  return { code: 'unexpected-token', message: 'Missing annotation name after `@`' }
}

/** `@was rate` or `@was[rate]`: a value without parentheses. */
export function unexpectedAfterAnnotation(annotation: AnnotationEntry, found: string): SyntaxMessage {
  return { ...unexpected(found), help: `for example \`${annotationExample(annotation)}\`` }
}
