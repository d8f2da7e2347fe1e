import type { Health } from '../../../src/dev/events.ts'
import { platform } from '../platform.ts'
import { useStore } from '../store.ts'

const HEALTH: Readonly<Record<Health, string>> = {
  running: 'running',
  starting: 'starting',
  idle: 'idle (starts on the first request)',
  down: 'down',
}

/** The health of a service: a dot with a shape of its own for each state, and text for screen readers. */
export function HealthBadge({
  health,
  showText = false,
}: {
  health: Health | undefined
  showText?: boolean
}) {
  const isLive = useStore(platform)?.isLive
  if (isLive !== true) return null
  const known = health ?? 'idle'
  return (
    <span class={`health ${known}`} title={HEALTH[known]}>
      <span class={showText ? '' : 'visually-hidden'}>{showText ? HEALTH[known] : `(${HEALTH[known]})`}</span>
    </span>
  )
}

/** An HTTP method. */
export function MethodBadge({ method }: { method: string }) {
  return <span class={`method ${method.toLowerCase()}`}>{method}</span>
}

/** A lock: open if users other than the creator can read. The text next to it says the same. */
export function AccessIcon({ isOpen }: { isOpen: boolean }) {
  return (
    <svg class="lock" viewBox="0 0 11 14" width="11" height="14" aria-hidden="true">
      <path d={`${isOpen ? 'M2.5 6V3.5a3 3 0 0 1 6-.8' : 'M2.5 6V3.5a3 3 0 0 1 6 0V6'}M.75 6h9.5v7H.75z`} />
    </svg>
  )
}
