/** A path with values of any text. */
export const pathWith = (literals: TemplateStringsArray, ...values: readonly unknown[]) =>
  String.raw(literals, ...values.map((value) => encodeURIComponent(String(value))))

/** A path with those of the values as query parameters that have one of the names. */
export function withQuery(path: string, values: object, names: readonly string[]): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values))
    if (names.includes(name) && value !== undefined && value !== null) query.set(name, String(value))
  return query.size === 0 ? path : `${path}?${query.toString()}`
}
