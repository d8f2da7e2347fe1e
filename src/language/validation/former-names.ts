import { kebabCase, snakeCase } from '../../naming.ts'
import { formerNameIn, wasOf } from '../former-name.ts'
import {
  type Attribute,
  type Block,
  type Definition,
  isAttribute,
  isJob,
  isProject,
  isService,
  type WordValue,
} from '../generated/ast.ts'
import { hasName, isNamedInService, nameSpan, spanOf } from '../nodes.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { quote } from '../quote.ts'
import { suggestedAttributeName, isValidAttributeName } from './attribute.ts'
import { suggestedBlockName, isValidBlockName } from './block.ts'
import { type ValidationContext, withReplacement } from './context.ts'

/** How names of one sort are written and compared. */
interface Naming {
  readonly style: string
  readonly isValid: (name: string) => boolean
  /** A valid name that resembles an invalid one. */
  readonly nameLike: (name: string) => string | undefined
  /** The form of a name in the output: two names with the same form are the same there. */
  readonly formOf: (name: string) => string
}

const ATTRIBUTES: Naming = {
  style: 'Attribute names are camelCase',
  isValid: isValidAttributeName,
  nameLike: suggestedAttributeName,
  formOf: snakeCase,
}
const BLOCKS: Naming = {
  style: 'Block names are PascalCase',
  isValid: isValidBlockName,
  nameLike: suggestedBlockName,
  formOf: kebabCase,
}

/** `@was` names attributes that the block no longer has, each of them once. */
export function checkFormerAttributeNames(block: Block, context: ValidationContext): void {
  const attributes = block.members.filter(isAttribute)
  if (attributes.some(wasOf)) checkFormerNames(attributes, ATTRIBUTES, context)
}

/** `#was` names blocks that the definition no longer has, each of them once. */
export function checkFormerBlockNames(_definition: Definition, context: ValidationContext): void {
  const { blocks, services } = context.index
  if (!blocks.some(wasOf)) return
  checkFormerNames(
    blocks.filter((block) => !isNamedInService(block)),
    BLOCKS,
    context,
  )
  for (const { members } of services) checkFormerNames(members.filter(isJob), BLOCKS, context)
}

function checkFormerNames(
  declarations: readonly (Attribute | Block)[],
  naming: Naming,
  context: ValidationContext,
): void {
  const declared = new Map<string, Attribute | Block>()
  for (const declaration of declarations) {
    const form = naming.formOf(declaration.name)
    if (hasName(declaration) && !declared.has(form)) declared.set(form, declaration)
  }
  const former = new Map<string, WordValue>()
  for (const declaration of declarations) {
    const was = isProject(declaration) ? undefined : wasOf(declaration)
    const value = was && formerNameIn(was)
    if (was === undefined || value === undefined || hasParseError(declaration) || hasParseError(was)) continue
    const form = naming.formOf(value.word)
    const earlier = former.get(form)
    const current = declared.get(form)
    if (!naming.isValid(value.word)) reportInvalid(value, naming, context)
    else if (form === 'id')
      context.report('former-name-in-use', spanOf(value), '`id` is declared implicitly', {
        help: 'every entity has an `id`; remove `@was`',
      })
    else if (current !== undefined) reportInUse(value, declaration, current, context)
    else if (earlier !== undefined)
      context.report('duplicate-former-name', spanOf(value), `Duplicate former name ${quote(value.word)}`, {
        help: 'keep it where the data belongs, and remove the other',
        related: [{ ...spanOf(earlier), message: 'first used here' }],
      })
    else former.set(form, value)
  }
}

function reportInvalid(value: WordValue, { nameLike, style }: Naming, context: ValidationContext): void {
  const suggestion = nameLike(value.word)
  const example = suggestion === undefined ? '' : `: \`${suggestion}\``
  context.report('invalid-former-name', spanOf(value), `${style}${example}`, {
    help: 'write the name as it was declared',
    ...withReplacement(suggestion),
  })
}

function reportInUse(
  value: WordValue,
  renamed: Attribute | Block,
  current: Attribute | Block,
  context: ValidationContext,
): void {
  const was = isAttribute(renamed) ? '`@was`' : '`#was`'
  const span = spanOf(value)
  const written = quote(value.word)
  if (renamed !== current)
    context.report('former-name-in-use', span, `${written} is still declared`, {
      // That of a service names its database, and stays.
      help: isService(renamed)
        ? 'rename one of the two'
        : `rename one of the two, or remove ${was} if a migration contains the new name`,
      related: [{ ...nameSpan(current), message: 'declared here' }],
    })
  else
    context.report(
      'former-name-in-use',
      span,
      value.word === renamed.name
        ? `${written} is the current name`
        : `${written} and ${quote(renamed.name)} have the same name in the database`,
      { help: `remove ${was}` },
    )
}
