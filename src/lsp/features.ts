import type { LangiumServices } from 'langium/lsp'
import type { EditorSettings } from '../language/editor/settings.ts'

/** Providers of one language, by the name that Langium's handlers ask for. */
export type Features = Partial<LangiumServices['lsp']>

/** What providers may ask for beside their document. */
export interface FeatureContext {
  /** The settings as they are now. */
  readonly settings: () => EditorSettings
}

/**
 * What the server can do with a definition. Each provider is a file in src/language/editor/ or
 * src/language/fixes/; one that is not named here is not announced to the client either.
 */
export function features(_context: FeatureContext): Features {
  return {}
}
