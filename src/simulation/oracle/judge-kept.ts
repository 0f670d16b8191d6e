import { decodeSteps } from '../../runs/record/step-codec.ts'
import { allSegments } from '../life/flow-spec.ts'
import type { World } from '../world/world.ts'
import type { RunRecord } from './records.ts'

/** What is counted by Keep is counted once for each run that did so, however often its step was tried. */
export function judgeKept(world: World): void {
  const { scenario, records } = world
  if (
    scenario.retentionMs !== null ||
    scenario.events.some(({ kind }) => kind === 'purge' || kind === 'leave-context')
  )
    return
  const kept = records.kept()
  const runs = records.all()
  for (const [at, { segments, context }] of scenario.flows.entries()) {
    const ofFlow = runs.filter(({ flowId }) => flowId === world.flowIds[at])
    for (const { kind, id } of allSegments(segments)) {
      if (kind !== 'count' || scenario.contexts > 0) continue
      judgeCount(id, Number(kept.get(`${world.contextOf(context)} count-${id}`) ?? 0), ofFlow, world)
    }
  }
}

function judgeCount(id: string, kept: number, runs: readonly RunRecord[], world: World): void {
  const done = runs.filter((run) => hasDone(run, id)).length
  // One that was cut off may have counted before.
  const cutOff = runs.filter((run) => run.status !== 'succeeded' && !hasDone(run, id)).length
  if (kept < done || kept > done + cutOff)
    world.fail('what is kept is changed once', `count-${id} is ${kept}, and ${done} runs counted.`)
}

function hasDone(run: RunRecord, node: string): boolean {
  if (run.steps === null) return false
  const steps = decodeSteps(run.steps, { input: JSON.parse(run.input), request: null })
  return steps.some((step) => step.node === node && step.status === 'succeeded')
}
