/**
 * A path as a shell takes it: as it is where nothing in it means anything to a shell, else in single quotes, as POSIX shells
 * have them.
 */
export function shellWord(path: string): string {
  if (/^[\p{L}\p{N}_./:@%+,=-]+$/u.test(path)) return path
  return `'${path.replaceAll("'", `'\\''`)}'`
}
