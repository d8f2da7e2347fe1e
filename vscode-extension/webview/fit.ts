/** A width and a height in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Below this zoom, names would cover more than their cards. */
const MIN_ZOOM = 0.25
/** Larger diagrams are first shown as an overview; in areas of the panel. */
const MAX_PANELS = 6
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

/** Below this zoom, attributes would be smaller than 8 pixels. */
export const DETAIL_ZOOM = 0.67
/** The zoom at which attributes are easy to read. */
const READABLE_ZOOM = 0.8

/**
 * The zoom at which a diagram is shown first. If it is too small to read when it fits, but not much too large for its
 * panel, it is readable and scrolled; a larger one shows only its names.
 */
export function firstZoom(diagram: Size, panel: Size, largestName: number): number {
  const zoom = fittingZoom(diagram, panel, largestName)
  if (zoom >= READABLE_ZOOM) return zoom
  const panels =
    ((diagram.width * READABLE_ZOOM) / panel.width) * ((diagram.height * READABLE_ZOOM) / panel.height)
  return panels <= MAX_PANELS ? READABLE_ZOOM : zoom
}
