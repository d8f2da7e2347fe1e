const LONGEST = 60
const PLAIN = /^\w*$/
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}`]/gu

/**
 * Quotes a user's text with backticks for a message. Long text is truncated, and characters that are invisible or
 * would control a terminal become `U+XXXX`.
 */
export function quote(text: string): string {
  return `\`${printable(text)}\``
}

/** The same without backticks. */
export function printable(text: string): string {
  if (text.length <= LONGEST && PLAIN.test(text)) return text
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text
  return cut.replace(UNPRINTABLE, codePointOf)
}

function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
