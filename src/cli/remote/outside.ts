import type { Readable } from 'node:stream'

export type Env = Readonly<Record<string, string | undefined>>

/** A stream that people or programs read. */
export interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** All that a command needs of the process that it runs in. */
export interface Outside {
  readonly env: Env
  readonly platform: NodeJS.Platform
  /** The folder of the person. */
  readonly home: string
  /** Where names of files begin. */
  readonly folder: string
  readonly input: Readable & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }
  readonly output: Output
  /** What is told beside the answer: progress, hints, errors. */
  readonly notes: Output
  readonly now: () => number
  /** Aborts when somebody ends the command, such as by Ctrl-C. */
  readonly signal: AbortSignal
}
