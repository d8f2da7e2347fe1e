import type { Health } from '../../../src/dev/events.ts'
import { platform } from '../platform.ts'
import { useStore } from '../store.ts'

const HEALTH: Readonly<Record<Health, string>> = {
  running: 'running',
  starting: 'starting',
  asleep: 'asleep: starts at its first request',
  down: 'down',
}

/** How a service is: a dot whose shape differs too, and words for whoever does not see it. */
export function HealthMark({ health, words = false }: { health: Health | undefined; words?: boolean }) {
  const isLive = useStore(platform)?.isLive
  if (isLive !== true) return null
  const known = health ?? 'asleep'
  return (
    <span class={`health ${known}`} title={HEALTH[known]}>
      <span class={words ? '' : 'unseen'}>{words ? HEALTH[known] : `(${known})`}</span>
    </span>
  )
}

/** A method of HTTP. */
export function MethodMark({ method }: { method: string }) {
  return <span class={`method ${method.toLowerCase()}`}>{method}</span>
}

/** A lock, open where others than the creator may read. Beside words that say it. */
export function AccessMark({ isOpen }: { isOpen: boolean }) {
  return (
    <svg class="lock" viewBox="0 0 11 14" width="11" height="14" aria-hidden="true">
      <path d={`${isOpen ? 'M2.5 6V3.5a3 3 0 0 1 6-.8' : 'M2.5 6V3.5a3 3 0 0 1 6 0V6'}M.75 6h9.5v7H.75z`} />
    </svg>
  )
}
