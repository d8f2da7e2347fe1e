import type { Worker } from 'node:worker_threads'

/** What a service may take, in MB: its heap, and the buffers that hang on it. */
export const MOST_MEMORY_MB = 768

const MB = 2 ** 20
/** How often the memory of the process is looked at, in ms. Code can fill some 500 MB in a second. */
const PERIOD_MS = 100
/** How much the process grows, in bytes, before its threads are asked which of them it is. */
const GROWTH = 128 * MB

const watched = new Map<Worker, () => void>()
let timer: NodeJS.Timeout | undefined
let asked = 0

/**
 * Calls back, once, when a thread holds more than MOST_MEMORY_MB. The limit that Node itself sets on the heap of
 * a thread is not enough: it ends the whole process where one array or map is what grows, and counts no buffers.
 * Gives what ends the watch.
 */
export function watchMemory(worker: Worker, onExcess: () => void): () => void {
  if (watched.size === 0) {
    asked = process.memoryUsage.rss()
    timer = setInterval(look, PERIOD_MS).unref()
  }
  watched.set(worker, onExcess)
  return () => {
    watched.delete(worker)
    if (watched.size === 0) clearInterval(timer)
  }
}

function look(): void {
  const now = process.memoryUsage.rss()
  if (now - asked < GROWTH) {
    asked = Math.min(asked, now)
    return
  }
  asked = now
  for (const worker of watched.keys()) void ask(worker)
}

async function ask(worker: Worker): Promise<void> {
  // A thread that has ended cannot say.
  const heap = await worker.getHeapStatistics().catch(() => undefined)
  const onExcess = watched.get(worker)
  if (heap === undefined || onExcess === undefined) return
  if (heap.total_heap_size + heap.external_memory <= MOST_MEMORY_MB * MB) return
  watched.delete(worker)
  onExcess()
}
