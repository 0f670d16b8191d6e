import { readdirSync, readFileSync } from 'node:fs'

/** Hundredths of a second are what Linux counts in. */
const MICROS_PER_TICK = 10_000

interface ProcessTimes {
  readonly pid: number
  readonly parent: number
  readonly own: number
  /** With those of children that have ended and were waited for. */
  readonly withEnded: number
}

/** Microseconds of CPU that a process has used so far. */
export function cpuOf(pid: number): number {
  return timesOf(pid)!.own
}

/** Microseconds of CPU that a process and all below it have used so far, those that have ended included. */
export function cpuOfTree(root: number): number {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => timesOf(Number(name)))
    .filter((times) => times !== undefined)
  const below = (parent: number): number =>
    all
      .filter((times) => times.parent === parent)
      .reduce((sum, { pid, withEnded }) => sum + withEnded + below(pid), 0)
  return timesOf(root)!.withEnded + below(root)
}

export function parentOf(pid: number): number {
  return timesOf(pid)!.parent
}

/** Fields of /proc/<pid>/stat after the name, which may hold spaces. Undefined where the process has just ended. */
function timesOf(pid: number): ProcessTimes | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').map(Number)
    const own = (fields[11]! + fields[12]!) * MICROS_PER_TICK
    return { pid, parent: fields[1]!, own, withEnded: own + (fields[13]! + fields[14]!) * MICROS_PER_TICK }
  } catch {
    return undefined
  }
}
