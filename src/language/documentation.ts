import { type AstNode, CstUtils } from 'langium'

/** Stub. */
export function documentationOf(node: AstNode): string {
  void CstUtils
  return node.$type === '' ? '' : ''
}
