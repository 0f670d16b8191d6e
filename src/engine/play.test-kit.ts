import { type Behaviour, Stage } from './execution.test-kit.ts'
import type { Plan } from './plan.ts'

export function play(of: Plan, steps: Readonly<Record<string, unknown>>): Stage {
  const behaviours = Object.entries(steps).map(([id, outputs]): [string, Behaviour] => [
    id,
    typeof outputs === 'function' ? (outputs as Behaviour) : () => outputs
  ])
  return new Stage(of, { steps: Object.fromEntries(behaviours) }).start()
}

export function inputsOf(stage: Stage, id: string): unknown {
  return stage.calls.find(({ node }) => node.id === id)?.inputs
}
