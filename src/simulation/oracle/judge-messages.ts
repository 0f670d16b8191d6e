import { decodeSteps } from '../../runs/record/step-codec.ts'
import type { History } from '../life/history.ts'
import type { World } from '../world/world.ts'
import type { RunRecord } from './records.ts'

/** What a run's steps have said is there once, however often whoever executed it began again. */
export function judgeMessages(world: World, { itemsAgain }: History): void {
  const said = Map.groupBy(world.records.messages(), ({ runSeq }) => runSeq)
  for (const run of world.records.all()) {
    // What follows the items says something else the second time.
    if (run.steps === null || itemsAgain.has(run.id)) continue
    const wanted = saidBy(run).toSorted().join()
    const there = (said.get(run.seq) ?? []).map(({ text }) => text)
    if (there.toSorted().join() !== wanted)
      world.fail(
        'what is said is there once',
        `${run.id} said ${wanted || 'nothing'}, and there is ${there}.`
      )
  }
}

function saidBy({ steps, input }: RunRecord): string[] {
  return decodeSteps(steps!, { input: JSON.parse(input), request: null }).flatMap(({ type, outputs }) =>
    type === 'chat-output' && typeof outputs?.message === 'string' ? [outputs.message] : []
  )
}
