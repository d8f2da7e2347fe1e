/**
 * Where this package lies, with a `/` at its end: the directory that holds `package.json` and `templates/`.
 * It holds for the source (`src/location.ts`) as for the bundle, all of whose files lie one directory below
 * `dist/`.
 */
export const PACKAGE_ROOT = new URL(import.meta.url.replace(/\/(?:src|dist\/[^/]+)\/[^/]+$/, '/'))
