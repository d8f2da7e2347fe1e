import type { LangiumServices } from 'langium/lsp'
import type { EditorAbilities } from '../language/editor/client.ts'
import { codeActions } from '../language/editor/code-actions.ts'
import { codeLenses } from '../language/editor/code-lenses.ts'
import { completion } from '../language/editor/completion.ts'
import { folding } from '../language/editor/folding.ts'
import { formatting } from '../language/editor/formatting.ts'
import { hover } from '../language/editor/hover.ts'
import { inlayHints } from '../language/editor/inlay-hints.ts'
import { documentLinks } from '../language/editor/links.ts'
import { definition, documentHighlight, references, typeDefinition } from '../language/editor/navigation.ts'
import { documentSymbols } from '../language/editor/outline.ts'
import { rename } from '../language/editor/rename.ts'
import { SemanticColours } from '../language/editor/semantic-tokens.ts'
import type { EditorSettings } from '../language/editor/settings.ts'
import { signatureHelp } from '../language/editor/signature-help.ts'

/** Providers of one language, by the name that Langium's handlers ask for. */
export type Features = Partial<LangiumServices['lsp']>

/** What providers may ask for beside their document. */
export interface FeatureContext {
  /** The settings as they are now. */
  readonly settings: () => EditorSettings
  /** What the editor can take; known once it has introduced itself. */
  readonly abilities: () => EditorAbilities
}

/**
 * What the server can do with a definition. Each provider is a file in src/language/editor/ or
 * src/language/fixes/; one that is not named here is not announced to the client either.
 */
export function features({ abilities, settings }: FeatureContext): Features {
  return {
    CodeActionProvider: codeActions,
    CodeLensProvider: codeLenses(settings),
    CompletionProvider: completion(abilities),
    DefinitionProvider: definition,
    DocumentHighlightProvider: documentHighlight,
    DocumentLinkProvider: documentLinks,
    DocumentSymbolProvider: documentSymbols,
    FoldingRangeProvider: folding,
    Formatter: formatting,
    HoverProvider: hover(abilities),
    InlayHintProvider: inlayHints(settings),
    ReferencesProvider: references,
    RenameProvider: rename,
    SemanticTokenProvider: new SemanticColours(),
    SignatureHelp: signatureHelp(abilities),
    TypeProvider: typeDefinition,
  }
}
