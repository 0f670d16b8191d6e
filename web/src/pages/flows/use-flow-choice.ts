import { useCallback, useMemo, useRef, useState } from 'react'

export interface FlowChoice {
  readonly chosen: ReadonlySet<string>
  /** Chooses a flow or leaves it out; as a range, all from the one before to this one. */
  readonly toggle: (id: string, isRange: boolean) => void
  readonly chooseAll: () => void
  readonly chooseNone: () => void
}

const NOTHING: ReadonlySet<string> = new Set()

/** Choosing rows: one by one, from the last one to another with Shift, or all. `ids` are the rows in their order. */
export function useFlowChoice(ids: readonly string[]): FlowChoice {
  const [all, setAll] = useState(NOTHING)
  const anchor = useRef<string | undefined>(undefined)
  const newest = useRef(ids)
  newest.current = ids
  // What a search leaves out, or somebody has deleted, is not chosen: nothing is done with what nobody sees.
  const chosen = useMemo(() => new Set(ids.filter((id) => all.has(id))), [ids, all])
  const toggle = useCallback((id: string, isRange: boolean) => {
    const between = isRange ? rangeOf(newest.current, anchor.current, id) : [id]
    if (!isRange) anchor.current = id
    setAll((before) => {
      const next = new Set(before)
      const isOn = isRange || !before.has(id)
      for (const each of between) {
        if (isOn) next.add(each)
        else next.delete(each)
      }
      return next
    })
  }, [])
  const chooseAll = useCallback(() => setAll(new Set(newest.current)), [])
  const chooseNone = useCallback(() => setAll(NOTHING), [])
  return { chosen, toggle, chooseAll, chooseNone }
}

/** From one row to another, both included; the other alone where the first is not there. */
export function rangeOf(ids: readonly string[], from: string | undefined, to: string): readonly string[] {
  const [start, end] = [from === undefined ? -1 : ids.indexOf(from), ids.indexOf(to)]
  return start < 0 ? [to] : ids.slice(Math.min(start, end), Math.max(start, end) + 1)
}
