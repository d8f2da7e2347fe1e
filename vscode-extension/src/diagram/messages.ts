/** A message from the extension to the diagram page. */
export type ToPage =
  | {
      readonly type: 'diagram'
      /** One SVG element; `null` if the definition has errors. */
      readonly svg: string | null
    }
  /** Highlights the service or struct at the cursor; `null` for none. */
  | { readonly type: 'highlight'; readonly name: string | null }

/** A message from the diagram page to the extension. */
export type FromPage =
  | { readonly type: 'ready' }
  /** Shows the declaration of a service or struct. */
  | { readonly type: 'goToDeclaration'; readonly name: string }
  | { readonly type: 'export' }

/** The state of the page, which VS Code restores when the window is reloaded. */
export interface PageState {
  /** The definition. */
  readonly uri: string
  /** The zoom that the user chose; 1 is the diagram's actual size. `undefined`: the diagram fits the panel. */
  readonly zoom?: number
}
