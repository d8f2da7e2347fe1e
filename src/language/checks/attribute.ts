import { camelCase, snakeCase } from '../../model/names.ts'
import type { Annotation, Attribute, Block } from '../generated/ast.ts'
import { hasName, isBroken, nameSpan } from '../syntax/places.ts'
import { quote } from '../syntax/quote.ts'
import { ANNOTATIONS, annotationNamed, VISIBILITIES } from '../vocabulary.ts'
import { checkNameLength } from './block.ts'
import { type CheckContext, replacing } from './context.ts'

const VALID_NAME = /^[a-z][A-Za-z0-9]*$/

/** Attributes stand in services and structs. */
export function checkAttributePlace(attribute: Attribute, context: CheckContext): void {
  const holder = attribute.$container
  if (isBroken(attribute) || isBroken(holder)) return
  if (holder.$type === 'Definition')
    context.report(
      'misplaced-attribute',
      nameSpan(attribute),
      `The attribute ${quote(attribute.name)} stands outside of every block. Move it into a service.`,
    )
  else if (holder.kind === 'project')
    context.report(
      'misplaced-attribute',
      nameSpan(attribute),
      `A project block holds metadata only. Move the attribute ${quote(attribute.name)} into a service.`,
    )
}

/** An attribute's name has the right form and length and is not `id`. */
export function checkAttributeName(attribute: Attribute, context: CheckContext): void {
  const { name } = attribute
  if (isBroken(attribute)) return
  if (!VALID_NAME.test(name)) {
    const suggestion = suggestedName(name)
    const mend = suggestion === undefined ? '' : ` Write \`${suggestion}\`.`
    context.report(
      'invalid-attribute-name',
      nameSpan(attribute),
      `The name of an attribute begins with a small letter and consists of A to Z, a to z and digits; ${quote(name)} does not.${mend}`,
      replacing(suggestion),
    )
  } else if (name === 'id') {
    context.report(
      'implicit-id',
      nameSpan(attribute),
      'Every entity has an `id` without declaring it. Remove this attribute, or rename it.',
    )
  } else {
    checkNameLength(snakeCase(name), attribute, context)
  }
}

/** Names of attributes are unique in their block, as written and as columns. */
export function checkAttributeNames(block: Block, context: CheckContext): void {
  const byName = new Map<string, Attribute>()
  const byColumn = new Map<string, Attribute>()
  for (const attribute of block.members) {
    // `name name: string` is one attribute.
    const isFragment = attribute.$type === 'Attribute' && isBroken(attribute) && !hasName(attribute.type)
    if (attribute.$type !== 'Attribute' || !hasName(attribute) || isFragment) continue
    const same = byName.get(attribute.name)
    if (same !== undefined) {
      reportClash('duplicate-attribute', attribute, same, context)
      continue
    }
    byName.set(attribute.name, attribute)
    if (!VALID_NAME.test(attribute.name)) continue
    const column = snakeCase(attribute.name)
    const alike = byColumn.get(column)
    if (alike !== undefined) reportClash('attribute-collision', attribute, alike, context)
    else byColumn.set(column, attribute)
  }
}

function reportClash(
  code: 'duplicate-attribute' | 'attribute-collision',
  later: Attribute,
  earlier: Attribute,
  context: CheckContext,
): void {
  if (isBroken(later)) return
  const message =
    code === 'duplicate-attribute'
      ? `There is an attribute ${quote(later.name)} already. Rename or remove one of them.`
      : `${quote(later.name)} and ${quote(earlier.name)} are both stored in the column \`${snakeCase(later.name)}\`. Rename one of them.`
  context.report(code, nameSpan(later), message, {
    related: [{ ...nameSpan(earlier), message: `${quote(earlier.name)} is declared here.` }],
  })
}

/** Annotations are known, stand once, and do not exclude each other. */
export function checkAnnotations(attribute: Attribute, context: CheckContext): void {
  if (isBroken(attribute)) return
  const seen = new Map<string, Annotation>()
  let visibility: Annotation | undefined
  for (const annotation of attribute.annotations) {
    const { name } = annotation
    const earlier = seen.get(name)
    if (annotationNamed(name) === undefined) {
      reportUnknown(annotation, context)
      continue
    }
    if (earlier !== undefined) {
      reportLater(
        'repeated-annotation',
        annotation,
        earlier,
        `\`@${name}\` stands here already. Remove one of the two.`,
        context,
      )
      continue
    }
    seen.set(name, annotation)
    if (!VISIBILITIES.has(name)) continue
    if (visibility !== undefined)
      reportLater(
        'conflicting-annotations',
        annotation,
        visibility,
        `\`@${name}\` and \`@${visibility.name}\` exclude each other: an attribute is at most one of \`@server\`, \`@serverSet\` and \`@client\`. Remove one of the two.`,
        context,
      )
    else visibility = annotation
  }
  const unique = seen.get('unique')
  if (unique === undefined || visibility?.name !== 'client') return
  const [earlier, later] =
    nameSpan(unique).start < nameSpan(visibility).start ? [unique, visibility] : [visibility, unique]
  reportLater(
    'unique-client',
    later,
    earlier,
    'A `@client` attribute is not stored, so it cannot be `@unique`. Remove one of the two.',
    context,
  )
}

function reportUnknown(annotation: Annotation, context: CheckContext): void {
  const names = ANNOTATIONS.map((entry) => entry.name)
  const nearest = context.nearest.among(annotation.name, names)
  const mend =
    nearest === undefined
      ? `There are ${names.map((name) => `\`@${name}\``).join(', ')}.`
      : `Did you mean \`@${nearest}\`?`
  context.report(
    'unknown-annotation',
    nameSpan(annotation),
    `There is no annotation ${quote(`@${annotation.name}`)}. ${mend}`,
    replacing(nearest),
  )
}

function reportLater(
  code: 'repeated-annotation' | 'conflicting-annotations' | 'unique-client',
  later: Annotation,
  earlier: Annotation,
  message: string,
  context: CheckContext,
): void {
  context.report(code, nameSpan(later), message, {
    related: [{ ...nameSpan(earlier), message: `\`@${earlier.name}\` stands here.` }],
  })
}

/** A valid name of an attribute that looks like this one. */
function suggestedName(name: string): string | undefined {
  const joined = name
    .replace(/^[^A-Za-z]+/, '')
    .replace(/[^A-Za-z0-9]+([A-Za-z0-9]?)/g, (_, first: string) => first.toUpperCase())
  if (!/^[A-Za-z][A-Za-z0-9]{0,62}$/.test(joined)) return undefined
  const suggestion = camelCase(joined)
  return suggestion === 'id' ? undefined : suggestion
}
