/** The part of jsdom, which has no types of its own, that tests use. */
declare module 'jsdom' {
  interface ParsedElement {
    readonly tagName: string
    readonly textContent: string
    readonly children: { readonly length: number }
    getAttributeNames(): string[]
    getAttribute(name: string): string | null
  }

  export class JSDOM {
    static fragment(html: string): { readonly textContent: string }
    readonly window: { readonly document: { querySelectorAll(selector: string): ArrayLike<ParsedElement> } }
    constructor(text: string, options: { readonly contentType: string })
  }
}
