import { cpus } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { cpuOf, cpuOfTree } from './cpu-time.ts'

const SAMPLE_MS = 250
const WAIT_AT_MOST_MS = 10_000
/** Cores that other work may take. Below this it is noise like any other. */
const QUIET = 0.15

export interface QuietRounds<T> {
  readonly rounds: number
  /** The processes that are measured; between rounds they have nothing to do. */
  readonly pids: readonly number[]
  /** Of these all that is below them is measured too. */
  readonly trees?: readonly number[]
  play(index: number): Promise<T>
  onRound(value: T, index: number, isQuiet: boolean): void
}

/**
 * Plays rounds until enough of them were undisturbed, at most twice as many, and returns the least disturbed ones.
 * A ratio that was measured beside other work says more about that work than about us.
 */
export async function quietRounds<T>(options: QuietRounds<T>): Promise<T[]> {
  const { rounds, pids, trees = [], play, onRound } = options
  const played: { value: T; others: number }[] = []
  const quiet = () => played.filter(({ others }) => others < QUIET).length
  while (quiet() < rounds && played.length < 2 * rounds) {
    const index = played.length
    await untilQuiet()
    const round = await beside({ pids, trees }, () => play(index))
    onRound(round.value, index, round.others < QUIET)
    played.push(round)
  }
  const byDisturbance = played.toSorted((a, b) => a.others - b.others)
  return byDisturbance.slice(0, rounds).map(({ value }) => value)
}

async function untilQuiet(): Promise<void> {
  const deadline = performance.now() + WAIT_AT_MOST_MS
  for (;;) {
    const { others } = await beside({ pids: [], trees: [] }, () => wait(SAMPLE_MS))
    if (others < QUIET || performance.now() > deadline) return
  }
}

type Measured = Required<Pick<QuietRounds<unknown>, 'pids' | 'trees'>>

/** Does the work and tells how many cores were kept busy meanwhile by what is not ours. */
async function beside<T>(own: Measured, work: () => Promise<T>) {
  const before = machineMs() - ownMs(own)
  const since = performance.now()
  const value = await work()
  return { value, others: (machineMs() - ownMs(own) - before) / (performance.now() - since) }
}

function machineMs(): number {
  // Elsewhere than on Linux nobody tells what a process of ours has used: then every round counts as quiet.
  if (process.platform !== 'linux') return 0
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)
}

function ownMs({ pids, trees }: Measured): number {
  if (process.platform !== 'linux') return 0
  const { user, system } = process.cpuUsage()
  const micros = [...pids.map(cpuOf), ...trees.map(cpuOfTree)]
  return micros.reduce((sum, used) => sum + used, user + system) / 1000
}
