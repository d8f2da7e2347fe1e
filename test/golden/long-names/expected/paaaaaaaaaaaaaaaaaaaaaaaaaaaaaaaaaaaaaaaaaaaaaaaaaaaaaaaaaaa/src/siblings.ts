import type { ReferenceTarget } from './references.ts'

/** The statement that reads one entry. */
interface ReadEntry {
  execute(keys: { id: string; _parent: string }): Promise<readonly unknown[]>
}

/** The entries of a struct under one parent, as what entries of a sibling refer to. */
export function siblings(name: string, read: ReadEntry, parent: string): ReferenceTarget {
  return {
    name,
    async unknown(ids) {
      const found = await Promise.all(ids.map((id) => read.execute({ id, _parent: parent })))
      return new Set(ids.filter((_id, index) => found[index]?.length === 0))
    },
  }
}
