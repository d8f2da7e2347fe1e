/**
 * The URL of this package, ending in `/`: the directory that contains `package.json` and `templates/`. It is correct
 * both in the source (`src/location.ts`) and in the bundle, all of whose files are one directory below `dist/`.
 */
export const PACKAGE_ROOT = new URL(import.meta.url.replace(/\/(?:src|dist\/[^/]+)\/[^/]+$/, '/'))
