import type { LangiumServices, LangiumSharedServices } from 'langium/lsp'

/** Providers of one language, by the name that Langium's handlers ask for. */
export type Features = Partial<LangiumServices['lsp']>

/**
 * What the server can do with a definition. Each provider is a file in src/language/editor/ or
 * src/language/fixes/; one that is not named here is not announced to the client either.
 */
export const FEATURES: Features = {}

/** What concerns the workspace and not one definition. */
export type WorkspaceFeatures = Partial<LangiumSharedServices['lsp']>
