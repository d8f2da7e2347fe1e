import type { ReferenceTarget } from './references.ts'

/** The entries of a struct under one parent, as what entries of a sibling refer to. */
export function siblings(name: string, find: (id: string) => Promise<readonly unknown[]>): ReferenceTarget {
  return {
    name,
    async unknown(ids) {
      const found = await Promise.all(ids.map(find))
      return new Set(ids.filter((_id, index) => found[index]?.length === 0))
    },
  }
}
