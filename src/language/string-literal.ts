/** The text of a string as it is written; `undefined` if it has an escape that JSON does not have. */
export function parseStringLiteral(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string
  } catch {
    return undefined
  }
}
