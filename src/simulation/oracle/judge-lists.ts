import type { World } from '../world/world.ts'
import { isTest } from './records.ts'

/** Then an item may be passed over: nobody was there for it, or what came meanwhile does not count. */
const UNCERTAIN = new Set([
  ...['pause', 'delete', 'undelete', 'purge', 'publish', 'leave-context', 'delete-context']
])

/** Each new item of a list starts one run, whoever dies meanwhile; of a list that drops items, each that was noted. */
export function judgeLists(world: World): void {
  const { flows, events, retentionMs, contexts } = world.scenario
  // A replay has the trigger and the input of the run that it repeats.
  if (retentionMs !== null || events.some(({ kind }) => kind === 'replay')) return
  const isCertain = contexts === 0 && !events.some(({ kind }) => UNCERTAIN.has(kind))
  const runs = world.records.all()
  for (const [at, { list, slug }] of flows.entries()) {
    if (list === undefined) continue
    const started = runs
      .filter((run) => run.trigger === 'watch' && run.flowId === world.flowIds[at] && !isTest(run))
      .map(({ input }) => (JSON.parse(input) as { id: number }).id)
    const wrong = started.filter((id, place) => started.indexOf(id) !== place || !(id in list.comeAt))
    const all = [...list.comeAt.keys()]
    const isAllTaken = isCertain && list.takesFirst && list.staysMs === null
    const noted = isCertain && list.takesFirst ? world.records.noted(world.flowIds[at]!) : []
    const missing = (isAllTaken ? all : noted).filter((id) => !started.includes(id))
    if (missing.length + wrong.length > 0)
      world.fail(
        'a new item starts one run',
        `Of ${all.length} items of ${slug} these started none: ${missing.join() || 'none'}, and these wrongly or twice: ${wrong.join() || 'none'}.`
      )
  }
}
