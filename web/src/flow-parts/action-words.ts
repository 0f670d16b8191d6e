import type { NamedFlow } from './named-flow.ts'

/** "“Orders” is", "3 flows are": how the words begin that say what was done. */
export function those(flows: readonly Pick<NamedFlow, 'name'>[]): string {
  return flows.length === 1 ? `“${flows[0]!.name}” is` : `${flows.length.toLocaleString()} flows are`
}

/** `held`: how many runs were; undefined where that could not be read. */
export function resumedWords(flows: readonly Pick<NamedFlow, 'name'>[], held: number | undefined): string {
  const begun =
    held === undefined
      ? 'Held runs start now.'
      : held === 0
        ? 'Nothing was held.'
        : `${heldWords(held)} now, in order of arrival.`
  return `${those(flows)} resumed. ${begun}`
}

function heldWords(held: number): string {
  return held === 1 ? 'The held run starts' : `${held.toLocaleString()} held runs start`
}

/** What happens to new requests at a paused flow. */
export function pausedWords(mode: 'hold' | 'refuse', held: number): string {
  const count =
    held === 0 ? '' : ` ${held === 1 ? '1 run is' : `${held.toLocaleString()} runs are`} held now.`
  return mode === 'hold'
    ? `What arrives is accepted and held; it runs in order of arrival after Resume.${count}`
    : `What arrives is refused with 503 and Retry-After; senders that try again are served after Resume.${count}`
}
