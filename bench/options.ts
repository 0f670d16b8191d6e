import { parseArgs } from 'node:util'

export interface BenchOptions {
  readonly rounds: number
  readonly seconds: number
  /** Keys of the groups to measure. */
  readonly only: readonly string[]
  readonly json: boolean
  readonly help: boolean
}

/** Throws with one line for the person at the keyboard. */
export function readBenchOptions(args: readonly string[], groups: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '4' },
      only: { type: 'string', default: groups.join(',') },
      json: { type: 'boolean', default: false },
      postgres: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false }
    }
  })
  const only = values.only.split(',').map((key) => key.trim())
  const unknown = only.find((key) => !groups.includes(key))
  if (unknown !== undefined) {
    throw new Error(`--only does not know "${unknown}". Choose from ${groups.join(', ')}.`)
  }
  return {
    rounds: wholeNumber('--rounds', values.rounds, 1, 100),
    seconds: wholeNumber('--seconds', values.seconds, 1, 60),
    only,
    json: values.json,
    help: values.help
  }
}

export function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw new Error(`${name} is "${text}". Write a whole number from ${min} to ${max}.`)
}
