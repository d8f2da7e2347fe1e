/** What the extension says to the page that shows a diagram. */
export type ToPage =
  | {
      readonly type: 'diagram'
      /** One SVG element; `null` while the definition has errors. */
      readonly svg: string | null
    }
  /** The cursor is in this service or struct, or in none. */
  | { readonly type: 'mark'; readonly name: string | null }

/** What the page says to the extension. */
export type FromPage =
  | { readonly type: 'ready' }
  /** The user follows a service or a struct to its declaration. */
  | { readonly type: 'follow'; readonly name: string }
  | { readonly type: 'export' }

/** What the page keeps, and is given again after the window was reloaded. */
export interface PageState {
  /** Of the definition. */
  readonly uri: string
  /** 1 is the diagram's own size. */
  readonly zoom?: number
}
