import type { DatabaseSync } from 'node:sqlite'
import { createPauser } from './pauser.ts'
import { stretchOf } from './stretches.ts'

interface Found {
  readonly seq: number
  readonly no: number
}

interface Search {
  /** Endings up to this number have been looked at. */
  readonly upTo: number
  readonly found: Found | null
}

/** One entry per node that somebody looked at; past this the memory is emptied, and searches begin anew. */
const maxRemembered = 10_000

/**
 * The run that was the last to end with an output of a node. Almost always the newest ending of the flow is
 * the one. For a node that seldom or never has an output the search goes through all endings of the flow (3.5
 * s per 1,000,000, with pauses), so what it saw is remembered: the next one looks only at what has ended
 * since.
 */
export function prepareLatestOutput(db: DatabaseSync, lastChange: () => number) {
  const newest = db.prepare('SELECT max(stretch) AS stretch FROM outcomes WHERE stretch BETWEEN ? AND ?')
  const endings = db.prepare(
    `SELECT seq, no, nodes FROM outcomes
     WHERE stretch = ? AND flow_id = ? AND no > ? AND instr(nodes, ?) > 0 ORDER BY no DESC`
  )
  const stillThere = db.prepare('SELECT 1 FROM outcomes WHERE seq = ? AND no = ?')
  const searches = new Map<string, Search>()

  async function search(flowId: string, node: string, after: number): Promise<Found | null> {
    const pause = createPauser()
    // Leaves out most rows cheaply; parsing then tells a name from a part of the list that looks like it.
    const quoted = JSON.stringify(node)
    let last = stretchOf(lastChange())
    for (;;) {
      const { stretch } = newest.get(stretchOf(after), last) as { stretch: number | null }
      if (stretch === null) return null
      const rows = endings.iterate(stretch, flowId, after, quoted) as Iterable<unknown>
      for (const row of rows as Iterable<Found & { nodes: string }>) {
        if ((JSON.parse(row.nodes) as string[]).includes(node)) return { seq: row.seq, no: row.no }
      }
      last = stretch - 1
      await pause()
    }
  }

  return async (flowId: string, node: string): Promise<number | undefined> => {
    const name = JSON.stringify([flowId, node])
    const upTo = lastChange()
    const before = searches.get(name)
    let found = await search(flowId, node, before?.upTo ?? 0)
    if (found === null && before?.found) {
      // It may have been deleted or opened again since; then an older one is the latest.
      const { seq, no } = before.found
      found = stillThere.get(seq, no) === undefined ? await search(flowId, node, 0) : before.found
    }
    if (searches.size >= maxRemembered) searches.clear()
    searches.set(name, { upTo, found })
    return found?.seq
  }
}
