import { setTimeout as wait } from 'node:timers/promises'

/** What became of something that counts once: it counted, another had counted before, or nobody knows. */
export type Receipt = 'taken' | 'over' | 'unknown'

export interface SendOnce {
  /** What it is sent to, for words. */
  readonly to: string
  readonly random: () => number
  readonly send: (payload: string) => Promise<Receipt>
  readonly isStopped: () => boolean
  readonly faults: string[]
}

const LOOK_AGAIN_MS = 200

/**
 * Sends, once or twice at the same moment, until one counts: exactly one does, and every other one is told so. Returns what may
 * have counted: one, but where the service died before it said so.
 */
export async function sendOnce({ to, random, send, isStopped, faults }: SendOnce): Promise<string[]> {
  const unsure: string[] = []
  for (let round = 1; !isStopped(); round++) {
    const payloads = Array.from({ length: random() < 0.3 ? 2 : 1 }, (_, at) => `${to}-${round}-${at}`)
    const receipts = await Promise.all(payloads.map(send))
    const taken = payloads.filter((_, at) => receipts[at] === 'taken')
    unsure.push(...payloads.filter((_, at) => receipts[at] === 'unknown'))
    if (taken.length > 1) faults.push(`${to} took two`)
    const isOver = receipts.includes('over')
    if (isOver && taken.length + unsure.length === 0) faults.push(`${to} was over before anything was sent`)
    if (taken.length > 0) return taken
    if (isOver) return unsure
    await wait(LOOK_AGAIN_MS)
  }
  return unsure
}
