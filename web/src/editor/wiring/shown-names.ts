import type { Fault } from '../../../../src/errors.ts'
import { parseEnd } from '../../../../src/flows/graph/graph.ts'
import type { Flow, Node } from '../graph/flow.ts'
import type { PageCatalogue } from './page-catalogue.ts'

/**
 * What the service says of a flow, with nodes, fields and ports by the names that are drawn: it knows them by those of the document, which
 * are on no node. Of what is not there any more it says what it said.
 */
export class ShownNames {
  readonly #nodes: ReadonlyMap<string, Node>
  readonly #catalogue: PageCatalogue
  readonly #timesShown = new Map<string, number>()

  constructor({ nodes }: Pick<Flow, 'nodes'>, catalogue: PageCatalogue) {
    this.#nodes = new Map(nodes.map((node) => [node.id, node]))
    this.#catalogue = catalogue
    for (const node of nodes) {
      const title = catalogue.titleOf(node)
      this.#timesShown.set(title, (this.#timesShown.get(title) ?? 0) + 1)
    }
  }

  /** Its title; with its id where another node has the same. */
  node(id: string): string | undefined {
    const node = this.#nodes.get(id)
    if (node === undefined) return undefined
    const title = this.#catalogue.titleOf(node)
    return this.#timesShown.get(title) === 1 ? title : `${title} (${id})`
  }

  /** `Field "left" of node "if-else-1": It is empty.` is `If-Else · Left: It is empty.`, as ends of wires are named. */
  fault({ message, node: id, field }: Pick<Fault, 'message' | 'node' | 'field'>): string {
    const node = this.#nodes.get(id ?? '')
    const title = field === undefined ? undefined : this.#fieldOf(node, field)
    const named =
      title === undefined
        ? message
        : message.replace(`Field "${field}" of node "${id}"`, () => `${this.node(id ?? '')} · ${title}`)
    return named.replaceAll(/\b[Nn]ode "([^"]*)"/g, (whole, named: string) => this.node(named) ?? whole)
  }

  /** `webhook-1.data -> if-else-1.data` is `Webhook · Data → If-Else · Data`. */
  wire(wire: string): string {
    const [from = '', to = ''] = wire.split(/ (?:->|→) /)
    return `${this.#end(from, 'outputs')} → ${this.#end(to, 'inputs')}`
  }

  #end(text: string, side: 'inputs' | 'outputs'): string {
    const end = parseEnd(text)
    const node = end && this.#nodes.get(end.node)
    if (end === undefined || node === undefined) return text
    const port = this.#catalogue.typed(node)[side]?.[end.port]
    return `${this.node(end.node)} · ${port?.title ?? end.port}`
  }

  #fieldOf(node: Node | undefined, field: string): string | undefined {
    return node && this.#catalogue.facts(node.type)?.fields[field]?.title
  }
}
