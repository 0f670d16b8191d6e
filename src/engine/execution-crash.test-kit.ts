import { Stage, type StageOptions } from './execution.test-kit.ts'
import type { JournalEntry } from './journal.ts'
import { plan } from './plan.test-kit.ts'
import type { Plan } from './plan.ts'
import type { StepRecord } from './step-record.ts'

//  W ─ A! ┬ B ─ C! ┬ E! ┬ F
//         └ D! ────┘    │
//  G ─ H! ──────────────┘
const DRAWING = 'W(webhook) -> A! -> B -> C! -> E! -> F; A -> D! -> E; G -> H! -> F; X(chat) -> Y!'

export const DRAWN = plan(DRAWING)

export const OUTSIDE = DRAWN.nodes.filter(({ effects }) => effects === 'external').map(({ id }) => id)

export async function lifeOf(of: Plan, options: StageOptions): Promise<Stage> {
  return new Stage(of, options).play()
}

/** The records as a run without any mishap leaves them. */
export async function undisturbed(of: Plan): Promise<readonly StepRecord[]> {
  return (await lifeOf(of, {})).ended.steps
}

export function withoutAttempts(steps: readonly StepRecord[]): unknown[] {
  return steps.map(({ attempts: _, ...step }) => step)
}

export function settledIn(journal: readonly JournalEntry[]): string[] {
  return journal.flatMap((entry) => entry.settled ?? []).map(({ node }) => node)
}

/** Does something to the execution at the given effect, from within it. */
export async function disturbed(
  of: Plan,
  effect: number,
  disturb: (stage: Stage) => void,
  more: StageOptions = {}
) {
  let count = 0
  let wasDisturbed = false
  const stage: Stage = new Stage(of, {
    ...more,
    lives: () => {
      if (count++ === effect) {
        wasDisturbed = true
        disturb(stage)
      }
      return true
    }
  })
  await stage.play()
  return { stage, wasDisturbed }
}
