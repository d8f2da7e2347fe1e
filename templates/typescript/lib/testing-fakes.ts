/**
 * Stands in for another service, or for its entries of a kind, as a part of `comm`. Everything that is referred to
 * exists, and all calls answer with the entity. To answer otherwise, replace members: `{ ...fake(...), read: ... }`.
 */
export const fake = <const Entity extends { readonly id: string }>(name: string, entity: Entity) => ({
  name,
  unknown: async (): Promise<string[]> => [],
  exists: async () => true,
  create: async () => entity,
  read: async () => entity,
  readMany: async () => [entity],
  update: async () => entity,
  patch: async () => entity,
  delete: async () => entity.id,
  list: async () => [entity],
  identify: async () => entity.id,
})
