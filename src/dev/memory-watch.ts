import type { Worker } from 'node:worker_threads'

/** The maximum memory that a service may use, in MB: its heap and its buffers. */
export const MAX_MEMORY_MB = 768

const MB = 2 ** 20
/** How often the memory of the process is measured, in ms. Code can fill about 500 MB in a second. */
const PERIOD_MS = 100
/** How much the process may grow, in bytes, before its threads are measured. */
const GROWTH = 128 * MB

const watched = new Map<Worker, () => void>()
let timer: NodeJS.Timeout | undefined
let measured = 0

/**
 * Calls `onExcess` once if a thread uses more than MAX_MEMORY_MB. Node's own limit on a thread's heap is not enough:
 * it ends the whole process if a single array or map grows too large, and it does not count buffers. Returns the
 * function that ends the watch.
 */
export function watchMemory(worker: Worker, onExcess: () => void): () => void {
  if (watched.size === 0) {
    measured = process.memoryUsage.rss()
    timer = setInterval(measure, PERIOD_MS).unref()
  }
  watched.set(worker, onExcess)
  return () => {
    watched.delete(worker)
    if (watched.size === 0) clearInterval(timer)
  }
}

function measure(): void {
  const now = process.memoryUsage.rss()
  if (now - measured < GROWTH) {
    measured = Math.min(measured, now)
    return
  }
  measured = now
  for (const worker of watched.keys()) void measureThread(worker)
}

async function measureThread(worker: Worker): Promise<void> {
  // A thread that has ended has no statistics.
  const heap = await worker.getHeapStatistics().catch(() => undefined)
  const onExcess = watched.get(worker)
  if (heap === undefined || onExcess === undefined) return
  if (heap.total_heap_size + heap.external_memory <= MAX_MEMORY_MB * MB) return
  watched.delete(worker)
  onExcess()
}
