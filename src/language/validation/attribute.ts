import { camelCase, listed, snakeCase } from '../../naming.ts'
import { type Annotation, type Attribute, type Block, isBlock, isEntity } from '../generated/ast.ts'
import { hasName, nameSpan, spanOf, typeName } from '../nodes.ts'
import { hasParseError } from '../parser/parse-errors.ts'
import { otherLanguages } from '../other-languages.ts'
import { quote } from '../quote.ts'
import {
  type AnnotationEntry,
  ANNOTATIONS,
  annotationNamed,
  isReservedName,
  languageTitle,
  metadataNamed,
  requiresStorage,
  TIMESTAMPS,
  VISIBILITIES,
} from '../builtins.ts'
import { annotationExample } from '../builtin-examples.ts'
import { checkCall, checkNoValue } from './arguments.ts'
import { checkNameLength, withoutAccents } from './block.ts'
import { type ValidationContext, withReplacement, withSuggestion } from './context.ts'
import { languageOf, metadataOf } from './definition-index.ts'
import { checkFormerValues } from './former-values.ts'

const VALID_NAME = /^[a-z][A-Za-z0-9]*$/

/** Whether a name is a valid attribute name. */
export function isValidAttributeName(name: string): boolean {
  return VALID_NAME.test(name)
}

/** Attributes are declared in services and structs. */
export function checkAttributePlace(attribute: Attribute, context: ValidationContext): void {
  const holder = attribute.$container
  if (hasParseError(attribute) || hasParseError(holder)) return
  if (holder.$type === 'Definition')
    context.report(
      'misplaced-attribute',
      nameSpan(attribute),
      'Attributes must be declared inside a service or struct',
      { help: `move ${quote(attribute.name)} into a service` },
    )
  else if (holder.$type === 'Project')
    context.report('misplaced-attribute', nameSpan(attribute), 'Attributes are not allowed in a project', {
      help: metadataNamed(attribute.name)?.blocks.includes('project')
        ? `metadata begins with \`#\`, for example \`#${attribute.name}(${typeName(attribute.type)})\``
        : `move ${quote(attribute.name)} into a service`,
    })
}

/** The name of an attribute has a valid form and length and is not `id`. */
export function checkAttributeName(attribute: Attribute, context: ValidationContext): void {
  const { name } = attribute
  if (hasParseError(attribute)) return
  if (!isValidAttributeName(name)) {
    const suggestion = suggestedAttributeName(name)
    context.report(
      'invalid-attribute-name',
      nameSpan(attribute),
      `Attribute names are camelCase${suggestion === undefined ? '' : `: \`${suggestion}\``}`,
      {
        help: 'use the letters A to Z, a to z and digits, starting with a lowercase letter',
        ...withReplacement(suggestion),
      },
    )
  } else if (name === 'id') {
    context.report('implicit-id', nameSpan(attribute), '`id` is declared implicitly', {
      help: 'every entity has an `id`; remove this attribute or rename it',
    })
  } else {
    checkNameLength(snakeCase(name), attribute, context)
    checkTimestampName(attribute, context)
    checkHookAttributeName(attribute, context)
  }
}

/** Updates leave out the attributes that only hooks set. */
function checkHookAttributeName(attribute: Attribute, context: ValidationContext): void {
  const { name, annotations } = attribute
  const byHooks = annotations.find(
    (annotation) => annotation.name === 'server' || annotation.name === 'serverSet',
  )
  if (byHooks === undefined || !isEntity(attribute.$container)) return
  const language = context.result.languageOverride ?? languageOf(attribute.$container, context.index)
  if (!isReservedName(name, language)) return
  context.report(
    'reserved-attribute-name',
    nameSpan(attribute),
    `${quote(name)} is reserved in services in ${languageTitle(language)}`,
    {
      help: `rename this attribute, or remove \`@${byHooks.name}\``,
      related: [{ ...spanOf(byHooks), message: 'set by hooks only' }],
    },
  )
}

/** `#timestamps` adds attributes of its own. */
function checkTimestampName(attribute: Attribute, context: ValidationContext): void {
  const { name, $container } = attribute
  if (!isBlock($container) || !TIMESTAMPS.some((timestamp) => timestamp === name)) return
  const timestamps = metadataOf($container, 'timestamps')
  if (timestamps === undefined) return
  context.report('implicit-timestamp', nameSpan(attribute), `\`#timestamps\` already adds \`${name}\``, {
    help: 'remove this attribute, or rename it',
    related: [{ ...nameSpan(timestamps), message: `adds \`${name}\`` }],
  })
}

/** Attribute names are unique in their block, as written and as columns. */
export function checkAttributeNames(block: Block, context: ValidationContext): void {
  const byName = new Map<string, Attribute>()
  const byColumn = new Map<string, Attribute>()
  for (const attribute of block.members) {
    // `name name: string` is one attribute.
    const isFragment = attribute.$type === 'Attribute' && hasParseError(attribute) && !hasName(attribute.type)
    if (attribute.$type !== 'Attribute' || !hasName(attribute) || isFragment) continue
    const same = byName.get(attribute.name)
    if (same !== undefined) {
      reportClash('duplicate-attribute', attribute, same, context)
      continue
    }
    byName.set(attribute.name, attribute)
    if (!isValidAttributeName(attribute.name)) continue
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
  context: ValidationContext,
): void {
  if (hasParseError(later)) return
  if (code === 'duplicate-attribute')
    context.report(code, nameSpan(later), `Duplicate attribute ${quote(later.name)}`, {
      related: [{ ...nameSpan(earlier), message: 'first declared here' }],
    })
  else
    context.report(
      code,
      nameSpan(later),
      `${quote(later.name)} and ${quote(earlier.name)} have the same column name \`${snakeCase(later.name)}\``,
      {
        help: 'rename one of them',
        related: [{ ...nameSpan(earlier), message: `${quote(earlier.name)} declared here` }],
      },
    )
}

/** Annotations exist, have the value that they require, occur once, and do not conflict. */
export function checkAnnotations(attribute: Attribute, context: ValidationContext): void {
  if (hasParseError(attribute)) return
  const seen = new Map<string, Annotation>()
  let visibility: Annotation | undefined
  for (const annotation of attribute.annotations) {
    const { name } = annotation
    const earlier = seen.get(name)
    const entry = annotationNamed(name)
    if (entry === undefined) {
      reportUnknown(annotation, context)
      continue
    }
    if (earlier !== undefined) {
      context.report('duplicate-annotation', nameSpan(annotation), `Duplicate annotation \`@${name}\``, {
        related: [{ ...nameSpan(earlier), message: 'first used here' }],
      })
      continue
    }
    seen.set(name, annotation)
    checkAnnotationValue(annotation, entry, context)
    if (!VISIBILITIES.has(name)) continue
    if (visibility !== undefined)
      reportConflict(
        'conflicting-annotations',
        annotation,
        visibility,
        'use at most one of `@server`, `@serverSet` and `@client`',
        context,
      )
    else visibility = annotation
  }
  const stored = [...seen.values()].find((annotation) => requiresStorage(annotation.name))
  if (stored === undefined || visibility?.name !== 'client') return
  const [earlier, later] =
    nameSpan(stored).start < nameSpan(visibility).start ? [stored, visibility] : [visibility, stored]
  const [code, reason] = UNSTORED[stored.name] ?? (['unique-client', 'cannot be unique'] as const)
  reportConflict(code, later, earlier, `a \`@client\` attribute is not stored, so it ${reason}`, context)
}

/** What only stored attributes can have, except `@unique`. */
const UNSTORED: Readonly<Record<string, readonly ['was-client' | 'transitions-client', string]>> = {
  was: ['was-client', 'has no column to rename'],
  transitions: ['transitions-client', 'has no value that could change'],
}

/** The value of an annotation is present if it requires one. */
function checkAnnotationValue(
  annotation: Annotation,
  entry: AnnotationEntry,
  context: ValidationContext,
): void {
  const { parameter, pairs } = entry
  const given = annotation.arguments
  const callee = `\`@${entry.name}\``
  if (parameter === undefined) checkNoValue(given, callee, context)
  else if (given === undefined || given.items.length === 0)
    context.report('missing-value', nameSpan(annotation), `${callee} requires a value`, {
      help: `for example \`${annotationExample(entry)}\``,
    })
  // Values are checked with their `enum`.
  else if (parameter.kind !== 'transitions') {
    checkCall(given, pairs === undefined ? [parameter] : [parameter, pairs], callee, context)
    if (pairs !== undefined) checkFormerValues(annotation, context)
  }
}

function reportUnknown(annotation: Annotation, context: ValidationContext): void {
  // `id: int @id`
  if (annotation.$container.name === 'id') return
  const names = ANNOTATIONS.map((entry) => entry.name)
  const instead = otherLanguages.annotation(annotation.name)
  const suggestion = instead === undefined ? context.spelling.suggest(annotation.name, names) : undefined
  const known = names.map((name) => `@${name}`)
  context.report(
    'unknown-annotation',
    nameSpan(annotation),
    `Unknown annotation ${quote(`@${annotation.name}`)}`,
    {
      help: instead ?? `use ${listed(known, 'or')}`,
      ...withSuggestion(suggestion, '@'),
    },
  )
}

function reportConflict(
  code: 'conflicting-annotations' | 'unique-client' | 'was-client' | 'transitions-client',
  later: Annotation,
  earlier: Annotation,
  help: string,
  context: ValidationContext,
): void {
  context.report(code, nameSpan(later), `\`@${later.name}\` cannot be combined with \`@${earlier.name}\``, {
    help,
    related: [{ ...nameSpan(earlier), message: 'conflicts with this annotation' }],
  })
}

/** A valid attribute name that resembles this one. */
export function suggestedAttributeName(name: string): string | undefined {
  const joined = withoutAccents(name)
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/[^\p{L}0-9]+([A-Za-z0-9]?)/gu, (_, first: string) => first.toUpperCase())
  if (!/^[A-Za-z][A-Za-z0-9]{0,62}$/.test(joined)) return undefined
  const suggestion = camelCase(joined)
  return suggestion === 'id' ? undefined : suggestion
}
