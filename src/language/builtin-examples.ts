import {
  type AnnotationEntry,
  isNamedInText,
  type Parameter,
  type ParameterKind,
  takesList,
} from './builtins.ts'

const PLACEHOLDERS: Readonly<Partial<Record<ParameterKind, string>>> = {
  name: 'OldName',
  attributes: 'name, city',
}

/** A name that metadata may declare. */
export function nameExample(metadata: string): string {
  return metadata === 'roles' ? 'admin' : 'webhook'
}

/** Metadata with a valid value: `#language(typescript)`, `#readable(by: this)`, `#omit[create]`. */
export function metadataExample(metadata: string, parameter: Parameter): string {
  const placeholder = parameter.kind === 'names' ? nameExample(metadata) : PLACEHOLDERS[parameter.kind]
  return metadataText(metadata, parameter, parameter.values[0]?.name ?? placeholder ?? 'Home')
}

/** Metadata with a value in its usual form: `#readable(by: this)`, `#language(go)`, `#omit[delete]`. */
export function metadataText(metadata: string, parameter: Parameter, value: string): string {
  if (takesList(parameter)) return `#${metadata}[${value}]`
  return isNamedInText(parameter) ? `#${metadata}(${parameter.name}: ${value})` : `#${metadata}(${value})`
}

/** An annotation with the value that it requires: `@was(oldName)`. */
export function annotationExample({ name, parameter }: AnnotationEntry): string {
  if (parameter?.kind === 'transitions') return `@${name}(draft: [sent, void], sent: paid)`
  return parameter === undefined ? `@${name}` : `@${name}(${parameter.name})`
}
