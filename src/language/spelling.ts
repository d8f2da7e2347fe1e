/** The maximum number of comparisons for one text, so that many wrong names among many candidates take little time. */
const MAX_COMPARISONS = 200_000
/** The maximum number of candidates that are considered. Most have another length and are not compared. */
const MAX_CANDIDATES = 5_000_000
const MAX_NAME_LENGTH = 64

/** Finds the name that was probably meant. Create one for each text: it stops suggesting when its budget is used up. */
export class SpellingSuggester {
  #comparisons = MAX_COMPARISONS
  #candidates = MAX_CANDIDATES

  /** The candidate that is most similar to `name`; `undefined` if none is similar enough. */
  suggest(name: string, candidates: Iterable<string>): string | undefined {
    if (name.length > MAX_NAME_LENGTH || name === '' || this.#comparisons <= 0) return undefined
    let best: string | undefined
    let bestDistance = tolerance(name) + 1
    const lower = name.toLowerCase()
    for (const candidate of candidates) {
      if (this.#candidates-- <= 0) return best
      if (Math.abs(candidate.length - name.length) >= bestDistance || candidate === name) continue
      if (this.#comparisons-- <= 0) return best
      const distance = editDistance(lower, candidate.toLowerCase())
      if (distance < bestDistance) {
        best = candidate
        bestDistance = distance
      }
    }
    return best
  }
}

/** Whether one name is probably a typo of the other: they differ only in case, or little for their length. */
export function isTypo(name: string, meant: string): boolean {
  if (name.length > MAX_NAME_LENGTH || meant.length > MAX_NAME_LENGTH) return false
  const distance = editDistance(name.toLowerCase(), meant.toLowerCase())
  return distance === 0 || distance * 4 <= Math.min(name.length, meant.length)
}

function tolerance(name: string): number {
  if (name.length <= 4) return 1
  return name.length <= 7 ? 2 : 3
}

/**
 * The number of insertions, deletions, replacements and swaps of adjacent letters (optimal string alignment) between
 * two short strings. Libraries for this count a swap, the most frequent typo, as two.
 */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1)
      row.push(least)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
