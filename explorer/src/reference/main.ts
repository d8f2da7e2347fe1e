import { createApiReference } from '@scalar/api-reference'
import '@scalar/api-reference/style.css'
import './reference.css'
import { isDark, onThemeChange } from '../theme.ts'
import { currentUser, readUsers } from '../users.ts'
import { mendAccessibility } from './mend.ts'
import { excerpt, type OpenApi } from './excerpt.ts'

/** When the viewer has drawn an answer. */
const SHOWN_AFTER_MS = 250

/** Shows the operations of some tags, and sends requests as whoever the page around it says. */
async function show(): Promise<void> {
  const query = new URLSearchParams(location.search)
  document.body.classList.toggle('one-operation', query.has('operation'))
  const response = await fetch('/_explorer/openapi.json')
  const content = excerpt(
    (await response.json()) as OpenApi,
    (query.get('tags') ?? '').split(','),
    query.get('operation') ?? undefined,
  )
  createApiReference('#reference', {
    content,
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
  onThemeChange(followTheme)
  mendAccessibility(document.body)
}

function followTheme(): void {
  document.body.classList.toggle('dark-mode', isDark())
  document.body.classList.toggle('light-mode', !isDark())
}

/**
 * The viewer fills in the token of whoever was current when it was shown. Where the page has switched to somebody
 * else since, theirs takes its place; what the reader typed stays.
 */
async function sendAsCurrentUser(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  const users = readUsers()
  const given = request.headers.get('authorization')
  const isOurs = given === null || users.known.some(({ token }) => given === `Bearer ${token}`)
  const isEmpty = given !== null && /^Bearer\s*$/.test(given)
  const token = currentUser(users)?.token
  if (new URL(request.url).origin === location.origin && (isOurs || isEmpty)) {
    if (token === undefined) request.headers.delete('authorization')
    else request.headers.set('authorization', `Bearer ${token}`)
  }
  const response = await fetch(request)
  // Where the answer stands below the request, it would come unseen.
  setTimeout(() => document.querySelector('section[aria-label="Response"]')?.scrollIntoView(), SHOWN_AFTER_MS)
  return response
}

void show()
