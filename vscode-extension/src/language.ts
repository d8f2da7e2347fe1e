/** The language that a definition's document has. */
export const LANGUAGE_ID = 'portico'
