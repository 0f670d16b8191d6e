import { setTimeout as wait } from 'node:timers/promises'

/** Looks every so often until it is so. */
export async function until(
  isSo: () => Promise<boolean>,
  { withinMs, everyMs = 100, otherwise }: { withinMs: number; everyMs?: number; otherwise: string }
): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(otherwise)
    await wait(everyMs)
  }
}
