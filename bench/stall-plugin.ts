import { monitorEventLoopDelay } from 'node:perf_hooks'

/** A plugin for the benchmark: it tells for how long the event loop stood still. */
interface Routes {
  get(path: string, handler: () => Promise<unknown>): void
}

const RESOLUTION_MS = 1

export default async function stalls(context: Routes): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  /** The longest since it was last asked. */
  context.get('/bench/stall', async () => {
    const ms = delay.max / 1e6
    delay.reset()
    return { ms }
  })
}
