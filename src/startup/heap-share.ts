import { getHeapStatistics } from 'node:v8'

/** Of the heap, for what runs under way were given. The rest is for all that they make of it, and for everything else. */
const SHARE_OF_HEAP = 1 / 3

/** In bytes. Node takes its limit from the memory of the machine, or from `--max-old-space-size`. */
export function heapForRuns(limit: number = getHeapStatistics().heap_size_limit): number {
  return Math.floor(limit * SHARE_OF_HEAP)
}
