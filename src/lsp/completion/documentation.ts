import {
  annotationNamed,
  type BlockKind,
  metadataNamed,
  metadataParameters,
  type Parameter,
  typeNamed,
} from '../../language/builtins.ts'
import { documentationOf } from '../../language/documentation.ts'
import { assertNever } from '../../model/platform.ts'
import { AUTHENTICATION } from '../../naming.ts'
import { type Definition, isStruct } from '../../language/generated/ast.ts'
import { definitionIndex } from '../../language/validation/definition-index.ts'
import {
  annotationMarkdown,
  AUTHENTICATION_MARKDOWN,
  kindMarkdown,
  metadataMarkdown,
  parameterMarkdown,
  typeMarkdown,
  valueMarkdown,
} from '../builtin-markdown.ts'

/**
 * The key of a candidate's documentation. The editor sends it back unchanged, so lists stay small and only
 * documentation that the user looks at is generated.
 */
export type DocumentationKey =
  | { readonly about: 'kind'; readonly name: BlockKind }
  | { readonly about: 'type' | 'annotation' | 'metadata'; readonly name: string }
  /** `of` is the type, or the metadata with its `#`. */
  | { readonly about: 'parameter' | 'value'; readonly of: string; readonly name: string }
  /** `of` is the service of a struct. */
  | { readonly about: 'entity'; readonly of?: string; readonly name: string }

/** The documentation as Markdown; empty if there is none. */
export function documentationFor(key: DocumentationKey, definition: Definition | undefined): string {
  switch (key.about) {
    case 'kind':
      return kindMarkdown(key.name)
    case 'type':
      return written(typeNamed(key.name), typeMarkdown)
    case 'annotation':
      return written(annotationNamed(key.name), annotationMarkdown)
    case 'metadata':
      return written(metadataNamed(key.name), metadataMarkdown)
    case 'parameter':
      return written(
        parametersOf(key.of).find(({ name }) => name === key.name),
        parameterMarkdown,
      )
    case 'value':
      return written(
        parametersOf(key.of)
          .flatMap(({ values }) => values)
          .find(({ name }) => name === key.name),
        valueMarkdown,
      )
    case 'entity':
      return definition === undefined ? '' : entityDocumentation(definition, key)
    default:
      return assertNever(key)
  }
}

/** Whether a value from an editor is such a key. */
export function isDocumentationKey(value: unknown): value is DocumentationKey {
  return typeof value === 'object' && value !== null && 'about' in value && 'name' in value
}

function written<T>(entry: T | undefined, markdown: (entry: T) => string): string {
  return entry === undefined ? '' : markdown(entry)
}

function parametersOf(owner: string): readonly Parameter[] {
  if (!owner.startsWith('#')) return typeNamed(owner)?.parameters ?? []
  const entry = metadataNamed(owner.slice(1))
  return entry === undefined ? [] : metadataParameters(entry)
}

function entityDocumentation(
  definition: Definition,
  { of, name }: { readonly of?: string; readonly name: string },
): string {
  const { services, authMethod } = definitionIndex(definition)
  const service = services.find((one) => one.name === (of ?? name))
  if (service === undefined && name === AUTHENTICATION && authMethod !== undefined)
    return AUTHENTICATION_MARKDOWN
  const found =
    of === undefined ? service : service?.members.filter(isStruct).find((struct) => struct.name === name)
  return found === undefined ? '' : documentationOf(found)
}
