import type { JsonValue } from '../../../flows/json/exact-json.ts'
import type { Signal, TextPiece, ToolPiece } from '../../shared-store.ts'

/** PostgreSQL takes no more than 8,000 bytes. */
const MOST_BYTES = 7_500
/** A control character takes six bytes in JSON: so much fits into one signal, whatever it is. */
const MOST_TEXT = 1_000
/** Of what a tool is called with, or gives, where that is too large. */
const MOST_SHOWN = 500

/** One of the things that signals tell. On the wire it is a list, under a letter. */
interface Kind<Value = unknown> {
  readonly letter: string
  /** For what is told of it until that is sent. */
  gather(): Gatherer<Value>
  restore(entries: readonly unknown[]): Value
}

interface Gatherer<Value = unknown> {
  add(told: Value): void
  /** Parts of the list, each of which goes in one payload. */
  parts(): readonly (readonly unknown[])[]
}

/** Each once. */
function names(letter: string): Kind<readonly string[]> {
  return {
    letter,
    gather() {
      const all = new Set<string>()
      return {
        add(told) {
          for (const name of told) all.add(name)
        },
        parts: () => [...all].map((name) => [name])
      }
    },
    restore: (entries) => entries as readonly string[]
  }
}

/** Only the highest of each counts. */
function numbers<Value extends Signal['changed' | 'saved'] & object>(letter: string): Kind<Value> {
  return {
    letter,
    gather() {
      const highest = new Map<string, number>()
      return {
        add(told) {
          for (const [key, number] of Object.entries<number>(told))
            highest.set(key, Math.max(highest.get(key) ?? 0, number))
        },
        parts: () => [...highest].map((entry) => [entry])
      }
    },
    restore: (entries) => Object.fromEntries(entries as [string, number][]) as Value
  }
}

/** All of it, in order. */
const text: Kind<readonly (TextPiece | ToolPiece)[]> = {
  letter: 'd',
  gather() {
    const pieces: (TextPiece | ToolPiece)[] = []
    return {
      add: (told) => void pieces.push(...told),
      parts: () =>
        pieces.flatMap((piece): [PieceEntry | ToolEntry][] =>
          'tool' in piece ? [[shortCall(piece)]] : shortPieces(piece)
        )
    }
  },
  restore: (entries) =>
    (entries as (PieceEntry | ToolEntry)[]).map(([flowId, runId, node, at, told]) =>
      typeof told === 'string' ? { flowId, runId, node, at, text: told } : { flowId, runId, node, tool: told }
    )
}

type Place = [flowId: string, runId: string, node: string, at: number]
type PieceEntry = [...Place, text: string]
type ToolEntry = [...Place, tool: ToolPiece['tool']]

function shortPieces({ flowId, runId, node, at, text }: TextPiece): [PieceEntry][] {
  const pieces: [PieceEntry][] = []
  for (let from = 0; from < text.length; from += MOST_TEXT)
    pieces.push([[flowId, runId, node, at + from, text.slice(from, from + MOST_TEXT)]])
  return pieces
}

/** Whoever wants all of it reads it in the run. */
function shortCall({ flowId, runId, node, tool }: ToolPiece): ToolEntry {
  const { id, name, arguments: given, result } = tool
  const whole: ToolEntry = [flowId, runId, node, 0, tool]
  if (Buffer.byteLength(JSON.stringify(whole)) <= MOST_BYTES / 2) return whole
  const beginning = (value: JsonValue) => `${JSON.stringify(value).slice(0, MOST_SHOWN)}…`
  const cut = {
    id,
    name,
    ...(given !== undefined && { arguments: beginning(given) }),
    ...(result !== undefined && { result: beginning(result) })
  }
  return [flowId, runId, node, 0, cut]
}

/** The last list that was told, as a whole. */
const listening: Kind<readonly (string | null)[]> = {
  letter: 'l',
  gather() {
    let last: readonly (string | null)[] = []
    return {
      add(told) {
        last = told
      },
      parts: () => [last]
    }
  },
  restore: (entries) => entries as readonly (string | null)[]
}

const still: Kind<true> = {
  letter: 'q',
  gather: () => ({ add: () => {}, parts: () => [[1]] }),
  restore: () => true
}

/** All of it, in order. */
const presence: Kind<NonNullable<Signal['presence']>> = {
  letter: 'h',
  gather() {
    const pages: PresenceEntry[] = []
    return {
      add(told) {
        for (const { flowId, page, gone } of told)
          pages.push([flowId, page.page, page.name, page.node, page.since, gone === true ? 1 : 0])
      },
      parts: () => pages.map((page) => [page])
    }
  },
  restore: (entries) =>
    (entries as PresenceEntry[]).map(([flowId, page, name, node, since, gone]) => ({
      flowId,
      page: { page, name, node, since },
      ...(gone === 1 && { gone: true as const })
    }))
}

type PresenceEntry = [
  flowId: string,
  page: string,
  name: string,
  node: string | null,
  since: number,
  gone: 0 | 1
]

type Told = Exclude<keyof Signal, 'from' | 'missed'>

/** In the order in which they are told: text before the changes of its run, since what that has come to is told last. */
const KINDS = {
  text,
  listening,
  still,
  saved: numbers('s'),
  broughtIn: numbers('b'),
  cancel: names('x'),
  woken: names('k'),
  answered: names('a'),
  drafts: names('e'),
  comments: names('m'),
  presence,
  work: names('w'),
  changed: numbers('c')
} as const satisfies { [Name in Told]: Kind<NonNullable<Signal[Name]>> }

const NAMES = Object.keys(KINDS) as Told[]

/** What is told, until it is sent. */
export class GatheredSignals {
  readonly #gathered = new Map<Told, Gatherer>()

  add(signal: Signal): void {
    for (const name of NAMES) if (signal[name] !== undefined) this.#gathererOf(name).add(signal[name])
  }

  dropText(): void {
    this.#gathered.delete('text')
  }

  /** As many payloads as it takes, and nothing is left. */
  take(from: string): string[] {
    const payloads = new Payloads(from)
    for (const name of NAMES) {
      for (const part of this.#gathered.get(name)?.parts() ?? []) payloads.add(KINDS[name].letter, part)
    }
    this.#gathered.clear()
    return payloads.all()
  }

  #gathererOf(name: Told): Gatherer {
    const gatherer = this.#gathered.get(name) ?? (KINDS[name] as Kind).gather()
    this.#gathered.set(name, gatherer)
    return gatherer
  }
}

/** Who tells it, under `p`, and lists under the letters of what they tell. */
type Wire = Record<string, unknown>

class Payloads {
  readonly #from: string
  readonly #full: string[] = []
  #lists: Record<string, unknown[]> = {}
  #bytes = 0

  constructor(from: string) {
    this.#from = from
  }

  add(letter: string, part: readonly unknown[]): void {
    const size = Buffer.byteLength(JSON.stringify({ [letter]: part }))
    if (this.#bytes + size > MOST_BYTES) this.#close()
    this.#lists[letter] ??= []
    this.#lists[letter].push(...part)
    this.#bytes += size
  }

  all(): string[] {
    this.#close()
    return this.#full
  }

  #close(): void {
    if (this.#bytes === 0) return
    this.#full.push(JSON.stringify({ p: this.#from, ...this.#lists }))
    this.#lists = {}
    this.#bytes = 0
  }
}

/** Undefined for what is not a signal: other versions of Millrace, and other programs, may use the channel. */
export function readSignal(payload: string): Signal | undefined {
  const wire = readWire(payload)
  if (wire === undefined) return undefined
  const told = NAMES.flatMap((name) => {
    const { letter, restore } = KINDS[name]
    return Array.isArray(wire[letter]) ? [[name, restore(wire[letter])] as const] : []
  })
  return { ...(typeof wire.p === 'string' && { from: wire.p }), ...Object.fromEntries(told) }
}

function readWire(payload: string): Wire | undefined {
  try {
    const wire = JSON.parse(payload) as Wire
    return typeof wire === 'object' && wire !== null ? wire : undefined
  } catch {
    return undefined
  }
}
