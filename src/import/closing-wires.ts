import type { Turns } from '../flows/in-turns.ts'

interface Wire {
  readonly from: string
  readonly to: string
}

/** Those wires that close a circle: without them everything runs forward. */
export function* closingWires<W extends Wire>(
  keys: readonly string[],
  wires: readonly W[]
): Turns<ReadonlySet<W>> {
  const leaving = Map.groupBy(wires, ({ from }) => from)
  const entered = new Set(wires.map(({ to }) => to))
  const state = new Map<string, 'open' | 'done'>()
  const closing = new Set<W>()
  // What begins comes first, so that circles are cut where they lead back to.
  const order = [...keys.filter((key) => !entered.has(key)), ...keys]
  for (const key of order) {
    if (state.has(key)) continue
    const path: { readonly key: string; next: number }[] = [{ key, next: 0 }]
    state.set(key, 'open')
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      yield
      const wire = leaving.get(last.key)?.[last.next++]
      if (wire === undefined) {
        state.set(last.key, 'done')
        path.pop()
      } else if (state.get(wire.to) === 'open') closing.add(wire)
      else if (!state.has(wire.to)) {
        state.set(wire.to, 'open')
        path.push({ key: wire.to, next: 0 })
      }
    }
  }
  return closing
}
