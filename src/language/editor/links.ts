import type { DocumentLinkProvider } from 'langium/lsp'
import { editorDocument } from './document.ts'
import { rangeOf } from './ranges.ts'

const ADDRESS = /https?:\/\/[^\s<>"'`{}|\\^]+/g
/** What ends a sentence, or brackets around the address, is no part of it. */
const BEHIND = /[.,;:!?*]+$|\)+$|\]+$/

/** Addresses of pages in comments. */
export const documentLinks: DocumentLinkProvider = {
  getDocumentLinks: (document) => {
    const { comments } = editorDocument(document).read.tree
    return Array.from({ length: comments.length }, (_, index) => index).flatMap((index) =>
      Array.from(comments.textOf(index).matchAll(ADDRESS), ({ index: at, 0: found }) => {
        const target = withoutEnd(found)
        const start = comments.start(index) + at
        return { range: rangeOf(editorDocument(document), { start, end: start + target.length }), target }
      }),
    )
  },
}

function withoutEnd(address: string): string {
  let target = address
  while (BEHIND.test(target) && !(target.endsWith(')') && target.includes('(')))
    target = target.replace(BEHIND, '')
  return target
}
