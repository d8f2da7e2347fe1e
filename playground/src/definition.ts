/** A file of a definition. */
export interface DefinitionText {
  /** Relative to the folder of the definition, with `/`. */
  readonly path: string
  readonly text: string
}

/** A definition: its main file, then those that it imports. */
export type Definition = readonly [DefinitionText, ...DefinitionText[]]

/** The definition with another text in one of its files. */
export function withText(definition: Definition, path: string, text: string): Definition {
  const [main, ...others] = definition.map((file) => (file.path === path ? { path, text } : file))
  return main === undefined ? definition : [main, ...others]
}
