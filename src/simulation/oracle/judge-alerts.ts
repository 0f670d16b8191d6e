import type { World } from '../world/world.ts'
import { isTest, type RunRecord } from './records.ts'

/** Then a failure may have been passed over, or be told twice: nobody was there to be told, or the run failed a second time. */
const UNCERTAIN = new Set([
  ...[
    'pause',
    'delete',
    'purge',
    'publish',
    'leave-context',
    'delete-context',
    'retry',
    'retry-items',
    'jump'
  ]
])

/** Every run that failed is told of once, to each flow that watches its flow. */
export function judgeAlerts(world: World): void {
  const { flows, events, retentionMs, contexts, processes } = world.scenario
  if (retentionMs !== null || contexts > 0 || events.some(({ kind }) => UNCERTAIN.has(kind))) return
  const runs = world.records.all()
  for (const [at, { watches, everySeconds, list }] of flows.entries()) {
    // One with a schedule, or a list, is deleted when all is to come to an end.
    if (watches === undefined || everySeconds > 0 || list !== undefined) continue
    const alerts = runs.filter((run) => run.trigger === 'run-failed' && run.flowId === world.flowIds[at])
    const told = alerts.map(({ input }) => (JSON.parse(input) as { run_id: string }).run_id)
    const watched = watches.map((flow) => world.flowIds[flow])
    const wanted = runs.filter((run) => isToBeTold(run) && watched.includes(run.flowId)).map(({ id }) => id)
    // Where processes share a store, the one that tells may just be another one.
    const missing = processes === undefined ? wanted.filter((id) => !told.includes(id)) : []
    const wrong = told.filter((id, place) => !wanted.includes(id) || told.indexOf(id) !== place)
    if (missing.length + wrong.length > 0)
      world.fail(
        'a failure is told once',
        `Of ${wanted.length} failed runs ${flows[at]!.slug} was not told of ${missing.join() || 'none'}, and wrongly or twice of ${wrong.join() || 'none'}.`
      )
  }
}

/** Not what others started, nor those who are told, nor tests. */
function isToBeTold(run: RunRecord): boolean {
  return run.status === 'failed' && run.parentSeq === null && run.trigger !== 'run-failed' && !isTest(run)
}
