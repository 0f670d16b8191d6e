import type { DatabaseSync } from 'node:sqlite'
import { numberOfName } from '../file/interned-names.ts'
import { blockOf } from './block-times.ts'
import type { ReadTurns } from './read-turns.ts'

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
export function prepareLatestOutput(db: DatabaseSync, lastChange: () => number, turns: ReadTurns) {
  const newest = db.prepare('SELECT max(block) AS block FROM outcomes WHERE block BETWEEN ? AND ?')
  const endings = db.prepare(
    `SELECT seq, no FROM outcomes
     WHERE block = ?1 AND flow = ${numberOfName('?2')} AND no > ?3
       AND nodes IN (SELECT value FROM json_each(?4))
     ORDER BY no DESC LIMIT 1`
  )
  const candidates = db.prepare("SELECT no, name FROM names WHERE name LIKE '[%' AND instr(name, ?) > 0")
  const stillThere = db.prepare('SELECT 1 FROM outcomes WHERE seq = ? AND no = ?')
  const searches = new Map<string, Search>()

  /** Numbers of the lists of nodes that have this one. What is like it is found by the text, and told by parsing. */
  function listsWith(node: string): number[] {
    const alike = candidates.all(JSON.stringify(node)) as unknown as { no: number; name: string }[]
    return alike.filter(({ name }) => (JSON.parse(name) as string[]).includes(node)).map(({ no }) => no)
  }

  async function search(flowId: string, node: string, after: number): Promise<Found | null> {
    const pause = turns.begin()
    const lists = JSON.stringify(listsWith(node))
    let last = blockOf(lastChange())
    for (;;) {
      await pause()
      const { block } = newest.get(blockOf(after), last) as { block: number | null }
      if (block === null) return null
      const found = endings.get(block, flowId, after, lists) as Found | undefined
      if (found !== undefined) return found
      last = block - 1
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
