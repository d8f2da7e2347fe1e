/** A width and a height in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Below this zoom, names would cover more than their cards. */
const MIN_ZOOM = 0.25
/** A smaller text cannot be read, in pixels. */
const MIN_TEXT = 8

/**
 * The zoom at which a diagram fits its panel. Not larger than the actual size, and not smaller than its names allow: a
 * diagram that is too large for that is scrolled.
 *
 * @param largestName the largest font size in the diagram that every name has space for, in pixels
 */
export function fittingZoom(diagram: Size, panel: Size, largestName: number): number {
  const zoom = Math.min(panel.width / diagram.width, panel.height / diagram.height)
  return Math.min(1, Math.max(zoom, MIN_ZOOM, MIN_TEXT / largestName))
}
