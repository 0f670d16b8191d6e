import type { Ports } from './ports.ts'

/** What a caller is sent of an answer before there is all of its text. */
export interface StreamedAnswer<I extends Ports = Ports> {
  readonly input: keyof I & string
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The inside of a component that holds nodes (`"parent"` in the document) and runs them once for each item. A port of its
 * inside is wired to nodes inside only, and is named unlike those of its outside.
 */
export interface RegionPorts {
  /** What every turn of the inside begins with. */
  readonly outputs: Ports
  /** What a turn of the inside gives back: the only way out of it. */
  readonly inputs: Ports
}
