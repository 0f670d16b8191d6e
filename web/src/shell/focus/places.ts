/** As much of a node of the page as is looked at here. */
interface InTree<N> {
  readonly parentNode: N | null
  readonly isConnected: boolean
}

/** Where something was: behind what, or as the first of its parent. */
export interface Place<N> {
  readonly parent: N
  readonly previous: N | null
}

interface Gone<N> {
  /** Of the outermost part that went: what was around that is there still. */
  readonly place: Place<N>
  /** What went, from the inside out. */
  readonly parts: readonly N[]
}

/** As the browser tells of it. */
interface Removal<N> {
  readonly target: N
  readonly removedNodes: Iterable<N>
  readonly previousSibling: N | null
}

/** Remembers of what is gone where it was. */
export class Places<N extends InTree<N>> {
  readonly #places = new WeakMap<N, Place<N>>()

  note({ target, removedNodes, previousSibling }: Removal<N>): void {
    const place = { parent: target, previous: previousSibling }
    for (const node of removedNodes) this.#places.set(node, place)
  }

  of(node: N): Gone<N> | undefined {
    const parts: N[] = []
    let place: Place<N> | undefined
    let part: N | undefined = node
    while (part !== undefined && !part.isConnected) {
      parts.push(part)
      if (part.parentNode === null) place = this.#places.get(part)
      part = part.parentNode ?? place?.parent
      // Removed by something that was not seen.
      if (parts.length > DEEPEST) return undefined
    }
    return part === undefined || place === undefined ? undefined : { place: this.#asItIs(place), parts }
  }

  /** A neighbour that went in the same breath names the one before it. */
  #asItIs({ parent, previous }: Place<N>): Place<N> {
    let node = previous
    for (let steps = 0; node !== null && node.parentNode !== parent; steps++)
      node = steps > DEEPEST ? null : (this.#places.get(node)?.previous ?? null)
    return { parent, previous: node }
  }
}

/** Places name each other where a part was moved to and fro: the way through them is bounded. */
const DEEPEST = 1000
