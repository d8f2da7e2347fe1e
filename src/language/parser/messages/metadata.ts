import { annotationExample, metadataExample } from '../../builtin-examples.ts'
import { type AnnotationEntry, annotationNamed, metadataNamed, type Parameter } from '../../builtins.ts'
import { otherLanguages } from '../../other-languages.ts'
import { type SyntaxMessage, unexpected } from './syntax-message.ts'

/** `#` without a name. */
export function missingMetadataName(): SyntaxMessage {
  return { code: 'unexpected-token', message: 'Missing metadata name after `#`' }
}

/**
 * `#language: go` or `#omit room`: a value without brackets, or a comment as other languages write it.
 *
 * @param hasSpace a space follows the `#`, as in a comment
 */
export function unexpectedAfterMetadata(metadata: string, found: string, hasSpace: boolean): SyntaxMessage {
  const entry = metadataNamed(metadata)
  const parameter = entry?.parameter
  const isValue = parameter !== undefined && (!hasSpace || found === ':' || isWordOf(parameter, found))
  if (!isValue)
    return entry === undefined || hasSpace
      ? { ...unexpected(found), help: 'comments begin with `//`' }
      : unexpected(found)
  const example = metadataExample(metadata, parameter)
  return { ...unexpected(found), help: `for example \`${example}\`` }
}

function isWordOf({ name, kind, values }: Parameter, word: string): boolean {
  if (kind === 'services' || kind === 'name') return /^\p{Lu}/u.test(word)
  if (kind === 'attributes') return /^\p{Ll}/u.test(word)
  return word === name || values.some((value) => value.name === word || value.aliases.includes(word))
}

/**
 * `@readable(by: all);`, or `@unique` or `@@unique` on its own line.
 *
 * @param name the token after the `@`
 * @param next the token after that
 */
export function annotationBeforeAttribute(name: string, next: string): SyntaxMessage {
  if (name === '@')
    return {
      ...unexpected('@'),
      message: 'Metadata begins with `#`',
      help: otherLanguages.metadata(next) ?? 'for example `#unique[name, city];`',
    }
  const instead = otherLanguages.metadata(name)
  if (instead !== undefined) return { ...unexpected('@'), help: instead }
  return metadataNamed(name) !== undefined && annotationNamed(name) === undefined
    ? { ...unexpected('@'), message: 'Metadata begins with `#`', data: { replacement: '#' } }
    : {
        ...unexpected('@'),
        help: 'annotations are written after the type, for example `name: string @unique;`',
      }
}

/** `name: string #unique` */
export function hashBeforeAnnotation(): SyntaxMessage {
  return { code: 'unexpected-token', message: 'Annotations begin with `@`', data: { replacement: '@' } }
}

/** `sort: [rate desc]` and `sort: [-rate]` */
export function sortOrder(found: string): SyntaxMessage {
  const isSign = found.length === 1
  return {
    code: isSign ? 'unexpected-character' : 'unexpected-token',
    message: `Unexpected ${isSign ? 'character ' : ''}\`${found}\``,
    help: 'list only attributes: clients choose the order, with `?sort=name` or `?sort=-name`',
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

/** `name: string @unique, @server`: a comma before an annotation. */
export function commaBeforeAnnotation(): SyntaxMessage {
  return {
    ...unexpected(','),
    help: 'annotations are separated by spaces',
    data: { replacement: '' },
  }
}
