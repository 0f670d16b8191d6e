/** A process that is watched and does what its argument says: see watchdog.test.ts. */
import { Watchdog, type WatchdogOptions } from './watchdog.ts'

const [act, options, runs] = process.argv.slice(2) as [string, string, string]
const [seq, otherSeq] = JSON.parse(runs) as [number, number]
const watchdog = new Watchdog(JSON.parse(options) as WatchdogOptions)
watchdog.start((error) => {
  throw error
})
watchdog.ready()
const never = new Promise(() => {})

const acts: Record<string, () => void> = {
  'a step loops': () => {
    watchdog.began(seq, 1)
    loop()
  },
  'a step loops after it has waited': () => {
    watchdog.waits(seq, 1, never)
    loop()
  },
  'one of two steps that wait loops': () => {
    watchdog.waits(seq, 1, never)
    watchdog.waits(otherSeq, 1, never)
    loop()
  },
  'a stop takes too long': () => {
    watchdog.stopping()
    setInterval(() => {}, 1_000)
  },
  'it has its thread back in time': () => {
    watchdog.began(seq, 1)
    watchdog.left()
    watchdog.waits(seq, 1, Promise.resolve())
    // For longer than the limit.
    setTimeout(() => process.exit(0), 1_500)
  }
}

function loop(): never {
  for (;;);
}

acts[act]!()
