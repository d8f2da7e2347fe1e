/**
 * Estimated width of characters relative to the font size. Names are ASCII, so one factor per kind of font is accurate
 * enough and the same on every machine.
 */
const MONOSPACE = 0.602
/** An upper estimate, for bold text with many capitals. */
const SANS = 0.6

/** Width in pixels of monospaced text of this font size. */
export function monospaceWidth(text: string, size: number): number {
  return text.length * size * MONOSPACE
}

/** Estimated width in pixels of proportional text of this font size. */
export function sansWidth(text: string, size: number): number {
  return text.length * size * SANS
}

/** Shortens text to this many characters, including an ellipsis. */
export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`
}
