/**
 * The address that the page is served from, with a slash at its end. It is the gateway's origin, or a path of another
 * one where a proxy adds a prefix: `https://code.example.com/proxy/8080/`. Both pages load their scripts from a
 * directory of it.
 */
const BASE = new URL('..', import.meta.url)

/** The full URL of a path that the platform serves, such as `/api/home` or `/_explorer/platform.json`. */
export function urlOf(path: string): string {
  return new URL(path.replace(/^\/+/, ''), BASE).href
}
