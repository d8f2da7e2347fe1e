import { createApiReference } from '@scalar/api-reference'
import '@scalar/api-reference/style.css'
import './reference.css'
import { urlOf } from '../base.ts'
import { isDark, onThemeChange } from '../theme.ts'
import { currentUser, readUsers } from '../users.ts'
import { repairAccessibility } from './accessibility.ts'
import { clearParameters } from './clear-parameters.ts'
import { excerpt, type OpenApi } from './excerpt.ts'

/** The viewer has rendered a response after this many milliseconds. */
const RENDER_MS = 250

/** Shows the operations of the tags in the query. Requests are sent as the current user of the outer page. */
async function show(): Promise<void> {
  const query = new URLSearchParams(location.search)
  document.body.classList.toggle('one-operation', query.has('operation'))
  const response = await fetch(urlOf('/_explorer/openapi.json'))
  const content = clearParameters(
    excerpt(
      (await response.json()) as OpenApi,
      (query.get('tags') ?? '').split(','),
      query.get('operation') ?? undefined,
    ),
  )
  createApiReference('#reference', {
    // A proxy may have added a prefix to the path of the gateway.
    content: { ...content, servers: [{ url: urlOf('/').replace(/\/$/, '') }] },
    authentication: {
      preferredSecurityScheme: 'bearer',
      securitySchemes: { bearer: { token: currentUser(readUsers())?.token ?? '' } },
    },
    darkMode: isDark(),
    theme: 'none',
    customFetch: sendAsCurrentUser,
    withDefaultFonts: false,
    telemetry: false,
    persistAuth: false,
    showSidebar: false,
    hideSearch: true,
    hideDarkModeToggle: true,
    hideClientButton: true,
    hideModels: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'none',
    defaultOpenAllTags: true,
    agent: { disabled: true },
    mcp: { disabled: true },
  } as never)
  onThemeChange(applyTheme)
  repairAccessibility(document.body)
}

function applyTheme(): void {
  document.body.classList.toggle('dark-mode', isDark())
  document.body.classList.toggle('light-mode', !isDark())
}

/**
 * Sends a request as the current user. The viewer fills in the token of the user that was current when it was
 * rendered; if the page has switched users since, this replaces it. A token that the reader typed is kept.
 */
async function sendAsCurrentUser(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  const users = readUsers()
  const authorization = request.headers.get('authorization')
  const isKnown =
    authorization === null || users.known.some(({ token }) => authorization === `Bearer ${token}`)
  const isEmpty = authorization !== null && /^Bearer\s*$/.test(authorization)
  const token = currentUser(users)?.token
  if (new URL(request.url).origin === location.origin && (isKnown || isEmpty)) {
    if (token === undefined) request.headers.delete('authorization')
    else request.headers.set('authorization', `Bearer ${token}`)
  }
  const response = await fetch(request)
  // In a narrow frame the response is below the request, out of sight.
  setTimeout(() => document.querySelector('section[aria-label="Response"]')?.scrollIntoView(), RENDER_MS)
  return response
}

void show()
