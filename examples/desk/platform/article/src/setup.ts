import type { Caller } from '#lib/tokens.ts'
import { type Env, HookError } from './hooks.ts'

/** Customers see only what is published. */
export default function setup(env: Env): void {
  env.hooks.afterRead((_env, article, caller) => {
    if (article.status === 'draft' && !isWriter(caller))
      throw new HookError(404, `Article not found: ${article.id}`)
  })
  // A filter, unlike a hook that removes drafts after they were read, also applies to pages and to `?total=true`.
  env.hooks.beforeList((_env, input, caller) => {
    if (!isWriter(caller)) input.status = 'published'
  })
}

function isWriter({ roles }: Caller): boolean {
  return roles.includes('agent') || roles.includes('admin')
}
