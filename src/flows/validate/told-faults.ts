import type { Fault } from '../../errors.ts'

/** Whoever has so many to mend reads the rest when these are. */
const MOST_TOLD = 1_000

/** The faults that an answer lists: there may be one for each of 50,000 edges, and each is a sentence or two. */
export function toldFaults(faults: readonly Fault[]): readonly Fault[] {
  const more = faults.length - MOST_TOLD
  if (more <= 0) return faults
  const message = `${more} more ${more === 1 ? 'fault is' : 'faults are'} not listed. Mend these first.`
  return [...faults.slice(0, MOST_TOLD), { code: 'more_faults', path: '', message }]
}
