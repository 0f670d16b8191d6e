import type { Turns } from '../flows/in-turns.ts'

interface Wire {
  readonly from: string
  readonly output: string
  readonly to: string
}

interface Loop {
  readonly key: string
  /** The output that its items leave by. */
  readonly begins: string
}

/** By node, the innermost loop that it stands in: what an item reaches without going back into the loop. */
export function* loopMembers(loops: readonly Loop[], wires: readonly Wire[]): Turns<Map<string, string>> {
  const leaving = Map.groupBy(wires, ({ from }) => from)
  const coming = Map.groupBy(
    wires.map(({ from, to }) => ({ from: to, output: '', to: from })),
    ({ from }) => from
  )
  const bodies: { key: string; body: Set<string> }[] = []
  for (const { key, begins } of loops.slice(0, MOST_LOOPS)) {
    yield
    bodies.push({ key, body: bodyOf(key, begins, { leaving, coming }) })
  }
  const regions = new Map<string, string>()
  const around = new Set<string>()
  // The smallest last: it is the innermost. Of two that reach each other the one that came first is around the other.
  for (const { key, body } of bodies.sort((a, b) => b.body.size - a.body.size)) {
    yield
    around.add(key)
    for (const member of body) if (!around.has(member)) regions.set(member, key)
  }
  return regions
}

/** Each is looked for in the whole flow. */
const MOST_LOOPS = 50

type Ways = ReadonlyMap<string, readonly Wire[]>

function bodyOf(
  loop: string,
  begins: string,
  { leaving, coming }: { leaving: Ways; coming: Ways }
): Set<string> {
  const wires = leaving.get(loop) ?? []
  const from = (ends: readonly Wire[]) =>
    reached(
      ends.map(({ to }) => to),
      loop,
      leaving
    )
  const inside = from(wires.filter(({ output }) => output === begins))
  // What follows the loop stands behind it, also where an item leads there.
  const after = from(wires.filter(({ output }) => output !== begins))
  const back = reached(
    (coming.get(loop) ?? []).map(({ to }) => to),
    loop,
    coming
  )
  return new Set([...inside].filter((node) => back.has(node) || !after.has(node)))
}

function reached(from: readonly string[], except: string, ways: Ways): Set<string> {
  const found = new Set(from.filter((node) => node !== except))
  for (const node of found) for (const { to } of ways.get(node) ?? []) if (to !== except) found.add(to)
  return found
}
