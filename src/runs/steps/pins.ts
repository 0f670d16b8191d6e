import type { ConnectionOpener } from '../../connections/connection-opener.ts'
import { OpenedSecrets } from '../../connections/opened-secrets.ts'
import { MillraceError } from '../../errors.ts'
import type { Catalogue } from '../../flows/component/catalogue.ts'
import type { FlowNode } from '../../flows/document/flow-document.ts'
import { nodeDigestInTurns } from '../../flows/document/node-digest-in-turns.ts'
import type { Turns } from '../../flows/in-turns.ts'
import { type JsonValue, writeJson } from '../../flows/json/exact-json.ts'
import { parseJsonInTurns } from '../../flows/json/parse-json-in-turns.ts'
import { connectionUses, usedName } from '../../flows/validate/connection-uses.ts'
import { flowNotFound } from '../../library/flow-refusals.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { PinStore, StoredPin } from '../../store/pins.ts'
import type { RunScope } from './run-scope.ts'

const LARGEST_PIN = 256 * 1024
/** Each test keeps a copy of them all. */
const LARGEST_PINS = 2 * 1024 * 1024

interface PinsDeps {
  readonly store: PinStore
  readonly catalogue: Pick<Catalogue, 'find'>
  readonly scopeOf: (context: string) => Pick<RunScope, 'variables'>
  readonly connections: Pick<ConnectionOpener, 'openByName'>
  readonly now: () => number
  /** Computes what may take long. */
  readonly inTurns: <T>(work: Turns<T>) => T | Promise<T>
}

/** By output; one that is not there is silent. */
export type PinnedOutputs = Readonly<Record<string, JsonValue>>

export interface Pin extends Omit<StoredPin, 'outputs'> {
  readonly outputs: PinnedOutputs
}

/** A node that is edited, which may have any fault, where it is. */
export interface EditedNode {
  readonly flow: LiveFlow
  readonly context: unknown
  readonly node: Pick<FlowNode, 'id' | 'type' | 'fields' | 'on_error'>
  /** All ids that the document has. */
  readonly ids: readonly string[]
}

/** What stands for the outputs of nodes when a flow is tried out. Nothing else reads it. */
export class Pins {
  readonly #deps: PinsDeps

  constructor(deps: PinsDeps) {
    this.#deps = deps
  }

  /** Of those of the nodes that have one. */
  async ofNodes({ id }: Pick<LiveFlow, 'id'>, nodes: readonly string[]): Promise<Pin[]> {
    const stored = await this.#deps.store.ofFlow(id)
    const known = new Set(nodes)
    const pins: Pin[] = []
    for (const pin of stored) if (known.has(pin.node)) pins.push(await this.#read(pin))
    return pins
  }

  /** Tells the settings of a node from others. */
  async digestOf(node: Pick<FlowNode, 'type' | 'fields'>): Promise<string> {
    return this.#deps.inTurns(nodeDigestInTurns(node))
  }

  async put(edited: EditedNode, outputs: PinnedOutputs, author: string): Promise<Pin> {
    const { flow, node } = edited
    const { store, now } = this.#deps
    const text = writeJson(this.#withoutSecrets(edited, outputs))
    const others = (await this.#withoutGone(edited)).filter((other) => other.node !== node.id)
    assertFits(node.id, text, others)
    const pin = {
      flowId: flow.id,
      node: node.id,
      outputs: text,
      madeOf: await this.digestOf(node),
      author,
      updatedAt: now()
    }
    if (!(await store.put(pin))) throw flowNotFound()
    return this.#read(pin)
  }

  /** Also where nothing is pinned. */
  async remove({ id }: LiveFlow, node: string): Promise<void> {
    await this.#deps.store.remove(id, [node])
  }

  async #read({ outputs, ...pin }: StoredPin): Promise<Pin> {
    const read = await this.#deps.inTurns(parseJsonInTurns(outputs))
    return { ...pin, outputs: read as PinnedOutputs }
  }

  /** A node that is neither edited nor live any more takes its pin along. */
  async #withoutGone({ flow, ids }: EditedNode): Promise<StoredPin[]> {
    const { store } = this.#deps
    const known = new Set([...ids, ...flow.document.nodes.map(({ id }) => id)])
    const { there = [], gone = [] } = Object.groupBy(await store.ofFlow(flow.id), ({ node }) =>
      known.has(node) ? 'there' : 'gone'
    )
    if (gone.length > 0)
      await store.remove(
        flow.id,
        gone.map(({ node }) => node)
      )
    return there
  }

  /** Without the secrets of the connections that the node names. Tokens of OAuth, which only a call brings, are not looked for. */
  #withoutSecrets({ context, node }: EditedNode, outputs: PinnedOutputs): unknown {
    if (typeof context !== 'string') return outputs
    const { catalogue, connections, scopeOf } = this.#deps
    const position = { x: 0, y: 0 }
    const fieldsOf = (type: string) => catalogue.find(context, type)?.fields
    const secrets = new OpenedSecrets()
    for (const use of connectionUses({ nodes: [{ ...node, position }] }, fieldsOf)) {
      const name = usedName(use, scopeOf(context).variables)
      try {
        connections.openByName(context, { name, kinds: undefined }, { signal: NEVER, secrets })
      } catch {
        // What cannot be opened has nothing to redact.
      }
    }
    return secrets.isEmpty ? outputs : secrets.redactValue(outputs)
  }
}

const NEVER = new AbortController().signal

function assertFits(node: string, text: string, others: readonly StoredPin[]): void {
  const size = Buffer.byteLength(text)
  if (size > LARGEST_PIN) {
    throw tooLarge(
      `The outputs of node "${node}" are ${inKilobytes(size)} kB of JSON; ${inKilobytes(LARGEST_PIN)} kB can be pinned. Pin fewer items of them.`
    )
  }
  const all = others.reduce((sum, { outputs }) => sum + Buffer.byteLength(outputs), size)
  if (all <= LARGEST_PINS) return
  throw tooLarge(
    `With it, the pins of the flow would be ${inKilobytes(all)} kB of JSON; ${inKilobytes(LARGEST_PINS)} kB is the limit. Unpin others first, or pin less.`
  )
}

function inKilobytes(bytes: number): number {
  return Math.ceil(bytes / 1024)
}

function tooLarge(message: string): MillraceError {
  return new MillraceError('pin_too_large', message)
}
