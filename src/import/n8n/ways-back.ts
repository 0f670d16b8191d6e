import type { SourceWire } from '../assembled-wires.ts'
import type { Become } from '../become.ts'
import { codeReference, keyOfOutput } from '../references.ts'
import { eitherOf } from './either.ts'
import { type Items, isBack } from './items.ts'
import { batchSize, type N8nNode, type N8nWire } from './n8n-node.ts'

type End = Pick<SourceWire, 'from' | 'output'>

/** Of a loop that is led back to from several nodes: whether one of them alone runs in each turn, as of one item that takes a branch. */
export function oneWayBack(
  nodes: readonly N8nNode[],
  wires: readonly N8nWire[],
  loops: ReadonlyMap<string, string>,
  { oneByOne }: Items
): (loop: N8nNode) => boolean {
  const isLoop = new Set(nodes.filter(({ type }) => type === 'splitInBatches').map(({ name }) => name))
  const isEither = eitherOf(
    nodes,
    wires.filter(({ from, to }) => !isLoop.has(to) || isBack(from, to, loops))
  )
  return (loop) => (oneByOne.has(loop.name) || batchSize(loop) === 1) && isEither(loop.name)
}

/** A turn gives one result: of what comes back from several nodes it is one list. */
export function gatherWaysBack(
  wires: readonly SourceWire[],
  becomes: Map<string, Become>,
  isGathered: (loop: string) => boolean
): void {
  const back = Map.groupBy(
    wires.filter(({ to, input }) => input === 'back' && isGathered(to)),
    ({ to }) => to
  )
  for (const [loop, ends] of back) {
    const become = becomes.get(loop)
    if (ends.length > 1 && become?.parts.main?.type === 'for-each') becomes.set(loop, gathered(become, ends))
  }
}

function gathered(become: Become, ends: readonly End[]): Become {
  const came = ends.map(({ from, output }) => codeReference(keyOfOutput(from, output)))
  const code = `return [${came.join(', ')}].filter((end) => end !== undefined && end !== null).flat()`
  return {
    ...become,
    parts: {
      ...become.parts,
      back: { type: 'code', title: 'What came back', isInside: true, fields: { code } }
    },
    links: [...(become.links ?? []), ['back.result', 'main.result']],
    takes: (input) => (input === 'back' ? 'back.data' : become.takes(input))
  }
}
