import type { LiveEvent } from './live-event.ts'

/** Longer than any answer takes that is worth waiting for. */
const KEPT_MS = 15_000
const MOST = 5_000

/**
 * What happened in the last moments. An answer that was on its way when something happened does not know of it: what
 * happened since is applied to it once more. That is safe, since all later events follow too and the last one holds.
 */
export class RecentEvents {
  #kept: { readonly at: number; readonly event: LiveEvent }[] = []

  add(events: readonly LiveEvent[], now: number): void {
    const fresh = [...this.#kept, ...events.map((event) => ({ at: now, event }))]
    this.#kept = fresh.filter(({ at }) => now - at < KEPT_MS).slice(-MOST)
  }

  since(time: number): LiveEvent[] {
    return this.#kept.filter(({ at }) => at >= time).map(({ event }) => event)
  }
}
