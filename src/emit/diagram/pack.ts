/** Something with a size. */
export interface Box {
  readonly width: number
  readonly height: number
}

/** Boxes with their top left corners, and their total size. */
interface Packed<T> extends Box {
  readonly boxes: readonly { readonly item: T; readonly x: number; readonly y: number }[]
}

/** Preferred ratio of width to height, like a screen's. */
const ASPECT = 1.5

/**
 * Packs boxes into a small area with the shape of a screen, `gap` apart. Larger boxes come first. Each box is placed
 * as high as possible, and then as far left as possible.
 */
export function pack<T extends Box>(items: readonly T[], gap: number): Packed<T> {
  const area = items.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0)
  const limit = Math.max(Math.sqrt(area * ASPECT), ...items.map(({ width }) => width))
  // Sorting is stable, so equal boxes keep their order.
  const ordered = [...items].sort((a, b) => b.width - a.width || b.height - a.height)
  /** The lower edge of the placed boxes, from left to right. */
  let skyline: readonly { readonly x: number; readonly y: number }[] = [{ x: 0, y: 0 }]
  const boxes = ordered.map((item) => {
    const { x, y } = place(item, skyline, limit)
    skyline = raise(skyline, x, x + item.width + gap, y + item.height + gap)
    return { item, x, y }
  })
  return {
    boxes,
    width: Math.max(0, ...boxes.map(({ item, x }) => x + item.width)),
    height: Math.max(0, ...boxes.map(({ item, y }) => y + item.height)),
  }
}

type Skyline = readonly { readonly x: number; readonly y: number }[]

function place({ width }: Box, skyline: Skyline, limit: number): { x: number; y: number } {
  let best = { x: 0, y: Math.max(...skyline.map(({ y }) => y)) }
  for (const { x } of skyline) {
    if (x > 0 && x + width > limit) continue
    const covered = skyline.filter((step, index) => {
      const end = skyline[index + 1]?.x ?? Number.POSITIVE_INFINITY
      return step.x < x + width && end > x
    })
    const y = Math.max(...covered.map((step) => step.y))
    if (y < best.y) best = { x, y }
  }
  return best
}

function raise(skyline: Skyline, from: number, to: number, y: number): Skyline {
  const last = skyline.findLast((step) => step.x <= to) ?? { x: 0, y: 0 }
  return [
    ...skyline.filter((step) => step.x < from),
    { x: from, y },
    { x: to, y: last.y },
    ...skyline.filter((step) => step.x > to),
  ]
}
