export type Tone = 'good' | 'bad' | 'busy' | 'dim' | 'strong'

/** A text in a colour, or as it is. */
export type Paint = (tone: Tone | undefined, text: string) => string

const CODES: Readonly<Record<Tone, readonly [on: number, off: number]>> = {
  good: [32, 39],
  bad: [31, 39],
  busy: [33, 39],
  dim: [2, 22],
  strong: [1, 22]
}

export const plain: Paint = (_tone, text) => text

export const coloured: Paint = (tone, text) => {
  if (tone === undefined || text === '') return text
  const [on, off] = CODES[tone]
  return `\x1b[${on}m${text}\x1b[${off}m`
}

/** Of a run or a step. */
export function toneOf(status: string): Tone {
  if (status === 'succeeded') return 'good'
  if (status === 'failed') return 'bad'
  return ['cancelled', 'skipped', 'not reached'].includes(status) ? 'dim' : 'busy'
}
