import { metadataWords, wordText } from '../argument-binding.ts'
import { OMITTABLE } from '../builtins.ts'
import { isStruct, type Metadata } from '../generated/ast.ts'
import { nameSpan, spanOf } from '../nodes.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { kebabCase } from '../../naming.ts'
import { quote } from '../quote.ts'
import { mayHaveMethod } from './access-rules.ts'
import type { ValidationContext } from './context.ts'

const SEGMENT = /^[A-Za-z0-9_-]+$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** `#public` lists path segments that no generated path has. */
export function checkPublic(metadata: Metadata, context: ValidationContext): void {
  const service = metadata.$container
  if (metadata.name !== 'public' || service.$type !== 'Service' || hasParseError(metadata)) return
  const { authMethod, auths, project } = context.index
  const isOpen = authMethod === undefined && auths.length === 0 && project !== undefined
  if (isOpen && !mayHaveMethod(project, context))
    context.report(
      'redundant-metadata',
      spanOf(metadata),
      'No request needs a token without authentication',
      {
        help: 'remove `#public`, or add `#authMethod(email);` to the project',
      },
    )
  for (const value of metadataWords(metadata)) {
    const segment = wordText(value)
    const struct = service.members.filter(isStruct).find(({ name }) => kebabCase(name) === segment)
    if (!SEGMENT.test(segment))
      context.report('invalid-path-segment', spanOf(value), `${quote(segment)} is not a path segment`, {
        help: 'use letters A to Z and a to z, digits, `-` and `_`',
      })
    else if (OMITTABLE.some(({ name }) => name === segment))
      context.report('public-path-in-use', spanOf(value), `${quote(segment)} is an endpoint, not a path`, {
        help: 'generated endpoints always require a token; name the first segment of your own routes',
      })
    else if (segment === 'all' || UUID.test(segment) || struct !== undefined)
      context.report('public-path-in-use', spanOf(value), `${quote(segment)} is part of generated paths`, {
        help: 'generated routes always require a token; use another segment for your own routes',
        ...(struct === undefined
          ? {}
          : { related: [{ ...nameSpan(struct), message: `used in the paths of ${quote(struct.name)}` }] }),
      })
  }
}
