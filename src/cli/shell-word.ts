/** A path as POSIX shells take it: as it is where nothing in it means anything to them, else in single quotes. */
export function shellWord(path: string): string {
  if (/^[\p{L}\p{N}_./:@%+,=-]+$/u.test(path)) return path
  return `'${path.replaceAll("'", `'\\''`)}'`
}
