import { useEffect, useRef, useState } from 'preact/hooks'
import type { LogEntry, RequestEntry } from '../../../src/dev/explorer/messages.ts'
import { entries } from '../platform.ts'
import { useStore } from '../store.ts'
import { MethodBadge } from './badges.tsx'

/** Live requests and log messages, newest last. */
export function Log() {
  const all = useStore(entries)
  const [isOpen, setOpen] = useState(() => innerWidth > 900)
  const [onlyErrors, setOnlyErrors] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const isPinned = useRef(true)
  const shown = onlyErrors ? all.filter(isFailure) : all

  useEffect(() => {
    // The list stays at the newest entry unless the user has scrolled up.
    if (isPinned.current && list.current !== null) list.current.scrollTop = list.current.scrollHeight
  }, [shown, isOpen])

  return (
    <section class={isOpen ? 'log open' : 'log'} aria-label="Requests and messages">
      <div class="log-bar">
        <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> Live log
          <span class="muted"> {all.length === 0 ? 'no entries' : summary(all)}</span>
        </button>
        {isOpen && (
          <label class="check">
            <input
              type="checkbox"
              checked={onlyErrors}
              onChange={({ currentTarget }) => setOnlyErrors(currentTarget.checked)}
            />
            Errors only
          </label>
        )}
      </div>
      {isOpen && (
        <div
          class="log-list"
          ref={list}
          tabIndex={0}
          role="log"
          aria-live="off"
          aria-label="Live log"
          onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
            isPinned.current = scrollTop + clientHeight > scrollHeight - 40
          }}
        >
          {shown.length === 0 && <p class="muted">Requests to the gateway appear here.</p>}
          {shown.map((entry) => (
            <Line key={entry.id} entry={entry} />
          ))}
        </div>
      )}
    </section>
  )
}

function Line({ entry }: { entry: LogEntry }) {
  const time = new Date(entry.time).toLocaleTimeString(undefined, { hour12: false })
  return (
    <div class="line">
      <time dateTime={new Date(entry.time).toISOString()}>{time}</time>
      {entry.kind === 'request' ? (
        <>
          <span class={`status ${statusClass(entry)}`}>{entry.status === 0 ? 'closed' : entry.status}</span>
          <MethodBadge method={entry.method} />
          <span class="path">{entry.path}</span>
          <span class="muted">{entry.milliseconds.toFixed(entry.milliseconds < 10 ? 1 : 0)} ms</span>
        </>
      ) : (
        <>
          <span
            class={`status ${entry.level === 'error' ? 'failed' : entry.level === 'warn' ? 'warning' : ''}`}
          >
            {entry.level}
          </span>
          <span class="path">
            {entry.service !== undefined && <strong>{entry.service} </strong>}
            {entry.text}
          </span>
        </>
      )}
    </div>
  )
}

function statusClass({ status }: RequestEntry): string {
  if (status >= 500) return 'failed'
  return status >= 400 || status === 0 ? 'warning' : 'ok'
}

function isFailure(entry: LogEntry): boolean {
  return entry.kind === 'request'
    ? entry.status >= 400 || entry.status === 0
    : entry.level === 'error' || entry.level === 'warn'
}

function summary(all: readonly LogEntry[]): string {
  const failures = all.filter(isFailure).length
  const count = `${all.length} ${all.length === 1 ? 'entry' : 'entries'}`
  return failures === 0 ? count : `${count}, ${failures} failed`
}
