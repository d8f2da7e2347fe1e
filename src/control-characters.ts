/** Matches every character that controls a terminal, except tab and line feed, or the direction of text. */
export const CONTROL_CHARACTER = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/gu
