/** A path with those of the values as query parameters that are neither missing nor `null`. */
export function withQuery(path: string, values: object): string {
  // Unlike `encodeURIComponent`, this does not throw if a text ends in half of an emoji.
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null) parameters.set(name, String(value))
  }
  const query = parameters.toString()
  return query === '' ? path : `${path}?${query}`
}
