import { setFlagsFromString } from 'node:v8'

/**
 * How the heap grows in a service that has started. Left alone, V8 lets garbage grow to four times what is in use.
 *
 * Runs that wait for their turn live long, so V8 learns to put what is made where runs are accepted among the old
 * objects (pretenuring). But most of it is garbage within milliseconds: the old ones then have to be collected every
 * few seconds, and every request under way waits for it. Without it, the 99th percentile of accepting goes from
 * 21 to 16 ms (bare Fastify: 13), and a collection of the young ones from 1.5 to 0.8 ms.
 *
 * Not among the flags that the process begins with: with these V8 takes nothing of what Node brings compiled of itself, which
 * is compiled anew then, for the second thread once more: a tenth of what a start takes of a processor.
 */
export function setHeapToWork(): void {
  setFlagsFromString('--heap-growing-percent=100')
  setFlagsFromString('--no-allocation-site-pretenuring')
}
