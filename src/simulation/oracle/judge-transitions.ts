import { mayBecome, type RunPlace } from '../../store/queue-state.ts'
import type { World } from '../world/world.ts'

/**
 * Every change of a row is one transition of the table that the stores have in common. It is the database that notes them, so none is
 * missed between two looks.
 */
export function judgeTransitions(world: World): void {
  const { changes, absent } = world.records.stateChanges()
  for (const { seq, from, to } of changes) {
    const before: readonly RunPlace[] = from === null ? absent : [from]
    const isLegal = before.some((place) => mayBecome(place, to ?? 'ended'))
    if (isLegal) continue
    const [was, is] = [from ?? 'nowhere', to ?? 'gone']
    world.fail('states follow the table of transitions', `Run ${seq} was ${was}, and then ${is}.`)
  }
}
