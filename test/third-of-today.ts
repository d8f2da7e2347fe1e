const DAY = Math.floor(Date.now() / 86_400_000)

/** A third of what takes long. The other two follow in the next two days. */
export function thirdOfToday<Item>(all: readonly Item[]): Item[] {
  return all.filter((_, index) => index % 3 === DAY % 3)
}
