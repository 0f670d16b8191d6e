import type { Turns } from '../../flows/in-turns.ts'
import type { SourceWire } from '../assembled-wires.ts'
import type { Way } from '../region-ways.ts'
import { sendsTwice } from './flowing.ts'
import { severalOf } from './function.ts'
import { sendsRows } from './parsers.ts'
import type { RedNode } from './red-node.ts'
import { countOf, isOfSequences } from './sequence.ts'
import type { RedWire, Wiring } from './wiring.ts'

/**
 * Node-RED sends messages one by one. Where a node sends several of them, what follows stands in a For each here, up to the node that
 * brings them together again. A node that is reached from inside of one and from outside is there twice.
 */
export interface Instance {
  readonly key: string
  readonly node: RedNode
  readonly region: string | undefined
  readonly isCopy: boolean
  /** The outputs by which it sends several messages. */
  readonly several: ReadonlySet<string>
}

export interface Region {
  readonly key: string
  /** The node whose messages it takes. */
  readonly of: Instance
  /** Its turns wait as long as their message says. */
  readonly isPaused: boolean
}

export interface Spread {
  readonly instances: readonly Instance[]
  readonly regions: readonly Region[]
  readonly wires: readonly SourceWire[]
  /** Ways back into what has been: by key of what stands for it, the node that it leads to. */
  readonly backs: ReadonlyMap<string, { readonly to: RedNode; readonly from: Instance }>
  /** Sequences that come out of a For each. */
  readonly lists: ReadonlySet<string>
  /** By region, where its messages go on, with what leads there. */
  readonly exits: ReadonlyMap<string, ReadonlyMap<string, Way['begins']>>
}

/** By which outputs a node sends several messages. */
function sends(node: RedNode, isList: boolean): ReadonlySet<string> {
  const { type, raw } = node
  if (type === 'function') return new Set([...severalOf(node)].map(String))
  if (type === 'join') return new Set(isList && countOf(node) > 0 ? ['0'] : [])
  const isSeveral =
    type === 'split' ||
    type === 'batch' ||
    (type === 'sort' && raw.targetType === 'seq') ||
    (type === 'csv' && sendsRows(raw)) ||
    (type === 'html' && raw.as === 'multi') ||
    (type === 'trigger' && sendsTwice(node))
  return new Set(isSeveral ? ['0'] : [])
}

export function* spread(wiring: Wiring, members: readonly RedNode[]): Turns<Spread> {
  const work = new Spreading(wiring, members)
  for (const node of members) work.begin(node)
  while (work.next()) yield
  return work.done()
}

class Spreading {
  readonly #wiring: Wiring
  readonly #byId: ReadonlyMap<string, RedNode>
  readonly #most: number
  readonly #instances = new Map<string, Instance>()
  /** By node, how often it is there. */
  readonly #counts = new Map<string, number>()
  readonly #queue: Instance[] = []
  #next = 0
  readonly #regions = new Map<string, Region>()
  readonly #wires: SourceWire[] = []
  readonly #backs = new Map<string, { to: RedNode; from: Instance }>()
  readonly #lists = new Set<string>()
  readonly #exits = new Map<string, Map<string, { from: string; output: string }[]>>()
  readonly #ends = new Map<string, number>()

  constructor(wiring: Wiring, members: readonly RedNode[]) {
    this.#wiring = wiring
    this.#byId = new Map(members.map((node) => [node.id, node]))
    this.#most = members.length * 2 + 200
  }

  /** What nothing leads to begins; in circles, whatever is left. */
  begin(node: RedNode): void {
    const comes = (this.#wiring.coming.get(node.id) ?? []).filter(({ from }) => this.#byId.has(from))
    if (comes.every(({ isBack }) => isBack === true)) this.#instance(node, undefined)
  }

  next(): boolean {
    const instance = this.#queue[this.#next++]
    if (instance === undefined) return false
    for (const wire of this.#wiring.leaving.get(instance.node.id) ?? []) this.#follow(instance, wire)
    return true
  }

  done(): Spread {
    return {
      instances: [...this.#instances.values()],
      regions: [...this.#regions.values()],
      wires: this.#wires,
      backs: this.#backs,
      lists: this.#lists,
      exits: this.#exits
    }
  }

  #instance(node: RedNode, region: string | undefined, isList = false): Instance | undefined {
    const name = `${node.id}\n${region ?? ''}`
    const known = this.#instances.get(name)
    if (known !== undefined) return known
    const count = this.#counts.get(node.id) ?? 0
    if (count > 0 && this.#instances.size >= this.#most) return undefined
    this.#counts.set(node.id, count + 1)
    const instance = {
      key: count === 0 ? node.id : `${node.id} ${count + 1}`,
      node,
      region,
      isCopy: count > 0,
      several: sends(node, isList)
    }
    this.#instances.set(name, instance)
    this.#queue.push(instance)
    return instance
  }

  #follow(from: Instance, wire: RedWire): void {
    const { output, isBack } = wire
    const to = this.#byId.get(wire.to)
    // A failure inside of a For each is that of its turn.
    const isLeft = output === 'error' && (from.region !== undefined || isBack === true)
    if (to === undefined || isLeft) return
    const isMade = wire.isMade || from.isCopy
    if (isBack === true) this.#back(from, output, to, isMade)
    else this.#lead(from, output, to, isMade)
  }

  #lead(from: Instance, output: string, to: RedNode, isMade: boolean): void {
    const isSeveral = from.several.has(output)
    const isList = isSeveral || from.region !== undefined
    // A caller is answered once, and no Respond answers out of a For each.
    const isSequence = isOfSequences(to) || (isList && to.type === 'http response')
    const region = isSequence ? undefined : isSeveral ? this.#regionOf(from, output) : from.region
    const target = this.#instance(to, region, isList)
    if (target === undefined) {
      // What was to be there once more is not: the wire is told as lost.
      this.#add({ from: from.key, output: `lost ${output}`, to: to.id, input: '0' }, isMade)
      return
    }
    if (isSequence && isList) this.#lists.add(target.key)
    const input = isSequence && !isList ? this.#place(target) : '0'
    const ends = { from, output, to: target.key, input, isMade }
    if (isSequence && isList) this.#through(ends, undefined)
    else if (isSeveral) this.#through(ends, region)
    else this.#add({ from: from.key, output, to: target.key, input }, isMade)
  }

  /** Out of the For each that it stands in, and into another. The first of the wires is the one that was there. */
  #through(
    {
      from,
      output,
      to,
      input,
      isMade
    }: { from: Instance; output: string; to: string; input: string; isMade: boolean },
    into: string | undefined
  ): void {
    const ways: SourceWire[] = []
    let begins = { from: from.key, output }
    if (from.region !== undefined) {
      ways.push({ ...begins, to: from.region, input: 'back' })
      const end = `${into === undefined ? input : 'items'} ${into ?? to}`
      this.#leave(from.region, end, begins)
      begins = { from: from.region, output: end }
    }
    if (into !== undefined) {
      ways.push({ ...begins, to: into, input: 'items' })
      begins = { from: into, output: 'item' }
    }
    ways.push({ ...begins, to, input })
    for (const [at, way] of ways.entries()) this.#add(way, at > 0 || isMade)
  }

  #leave(region: string, end: string, begins: { from: string; output: string }): void {
    if (!this.#exits.has(region)) this.#exits.set(region, new Map())
    const ends = this.#exits.get(region)!
    if (!ends.has(end)) ends.set(end, [])
    ends.get(end)!.push(begins)
  }

  #regionOf(of: Instance, output: string): string {
    const key = `each ${of.key} ${output}`
    if (!this.#regions.has(key)) this.#regions.set(key, { key, of, isPaused: of.node.type === 'trigger' })
    return key
  }

  #back(from: Instance, output: string, to: RedNode, isMade: boolean): void {
    const key = `back ${from.key} ${output} ${to.id}`
    this.#backs.set(key, { to, from })
    this.#add({ from: from.key, output, to: key, input: '0' }, isMade)
  }

  /** Each wire to what gathers messages has an input of its own. */
  #place({ key }: Instance): string {
    const place = this.#ends.get(key) ?? 0
    this.#ends.set(key, place + 1)
    return String(place)
  }

  #add(wire: SourceWire, isMade: boolean): void {
    this.#wires.push(isMade ? { ...wire, isMade } : wire)
  }
}
