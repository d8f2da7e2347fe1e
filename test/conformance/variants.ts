/** A definition without users: everybody may do everything. */
export function withoutAuthentication(text: string): string {
  return text
    .replaceAll(/#authMethod\([^)]*\)\s*;?/g, '')
    .replaceAll(/#(?:readable|writable)\([^)]*\)\s*;?/g, '')
    .replaceAll(/#auth\b\s*;?/g, '')
    .replaceAll(/\bidentify\b\s*,?|,\s*identify\b/g, '')
    .replaceAll(/#omit\[\s*\]\s*;?/g, '')
}

/** A definition with users: the first service is the store of their metadata. */
export function withAuthentication(text: string): string {
  return text.replace(/: *project *\{/, '$& #authMethod(email);').replace(/: *service *\{/, '$& #auth;')
}
