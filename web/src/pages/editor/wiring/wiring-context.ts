import { createContext, useContext, useSyncExternalStore } from 'react'
import { endText, type Flow } from '../../../editor/graph/flow.ts'
import type { Handle, judgeEdge, judgeWire, portsThatFit } from '../../../editor/wiring/judge-wire.ts'
import type { PageCatalogue } from '../../../editor/wiring/page-catalogue.ts'

/** They are many words, and nobody pulls a wire before the rest of the editor is there: wire-rules.tsx brings them. */
interface WireRules {
  readonly judgeEdge: typeof judgeEdge
  readonly judgeWire: typeof judgeWire
  readonly portsThatFit: typeof portsThatFit
}

type Fit = 'from' | 'yes' | 'no'

/** What is going on between ports: a wire that is pulled, or a node that is dragged over a wire. */
export class Wiring {
  readonly #watchers = new Set<() => void>()
  #from: Handle | undefined
  #fitting: ReadonlySet<string> = new Set()
  #under: string | undefined
  rules: WireRules | undefined
  #over: string | undefined

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  get from(): Handle | undefined {
    return this.#from
  }

  /** The wire, by its key, that a dragged node would be put into. */
  get under(): string | undefined {
    return this.#under
  }

  /** The region that dragged nodes would come to stand in. */
  get over(): string | undefined {
    return this.#over
  }

  /** How a port stands to the wire that is pulled; undefined while none is. */
  fitOf(node: string, port: string, side: Handle['side']): Fit | undefined {
    if (this.#from === undefined) return undefined
    if (this.#from.node === node && this.#from.port === port && this.#from.side === side) return 'from'
    return side !== this.#from.side && this.#fitting.has(endText({ node, port })) ? 'yes' : 'no'
  }

  begin(flow: Flow, catalogue: PageCatalogue, from: Handle): void {
    this.#from = from
    this.#fitting = this.rules?.portsThatFit(flow, catalogue, from) ?? new Set()
    this.#tell()
  }

  end(): void {
    if (this.#from === undefined) return
    this.#from = undefined
    this.#tell()
  }

  dragOverWire(over: string | undefined): void {
    if (over === this.#under) return
    this.#under = over
    this.#tell()
  }

  dragOverRegion(region: string | undefined): void {
    if (region === this.#over) return
    this.#over = region
    this.#tell()
  }

  #tell(): void {
    for (const watcher of [...this.#watchers]) watcher()
  }
}

export const WiringContext = createContext<Wiring | undefined>(undefined)

export function useWiringState(): Wiring {
  const wiring = useContext(WiringContext)
  if (wiring === undefined) throw new Error('useWiring is used outside of <WiringContext>')
  return wiring
}

export function useWiring<T>(select: (wiring: Wiring) => T): T {
  const wiring = useWiringState()
  return useSyncExternalStore(wiring.watch, () => select(wiring))
}
