/**
 * How wide text gets where there is no browser to ask: names are ASCII, so that a factor for each kind of font
 * is as good as its tables, and the same on every machine.
 */
const MONOSPACE = 0.602
/** On the wide side: bold, with many capitals. */
const SANS = 0.6

/** Width in pixels of monospaced text of this font size. */
export function monospaceWidth(text: string, size: number): number {
  return text.length * size * MONOSPACE
}

/** Width in pixels that proportional text of this font size will not exceed by much. */
export function sansWidth(text: string, size: number): number {
  return text.length * size * SANS
}

/** At most this many characters, the last of them an ellipsis where some were left out. */
export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`
}
