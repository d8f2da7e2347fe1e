/** 302 to a path as clients see it. */
export function redirectTo(location: string): Response {
  return new Response(null, { status: 302, headers: { Location: location, 'Cache-Control': 'no-store' } })
}
