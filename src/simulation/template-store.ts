import { USUAL_SIZES } from '../runs/dispatch/dispatch-sizes.ts'
import { generateScenario } from './life/generate-scenario.ts'
import type { Scenario } from './life/scenario.ts'
import { noteStateChanges } from './oracle/records.ts'
import { EmbeddedMachine } from './world/embedded-machine.ts'
import { Folders } from './world/folders.ts'
import { World, type WorldOptions } from './world/world.ts'

export interface Ground extends Pick<WorldOptions, 'machineOf'> {
  readonly scenarioOf: (seed: number) => Scenario
  /** Rules whose breach is passed over. */
  readonly passedOver?: ReadonlySet<string>
  /** To be called before each scenario. */
  begin?(): Promise<void>
  /** Removes all that was made for it. */
  end(): Promise<void>
}

/** Makes a store once, and closes it: each scenario begins with a copy, which is quicker than to make one. */
export async function prepareGround(below?: string): Promise<Ground> {
  const folders = new Folders(below)
  const machine = new EmbeddedMachine(folders, folders.make())
  const world = new World({ scenario: NOTHING, machineOf: () => machine, onBegin: () => {} })
  await world.start()
  for (const live of world.deps.library.list())
    await world.until(world.deps.library.remove(live.id), 'a removal')
  await world.stop()
  const template = machine.config.home
  noteStateChanges(template)
  return {
    scenarioOf: generateScenario,
    machineOf: () => new EmbeddedMachine(folders, template),
    end: async () => folders.removeAll()
  }
}

/** A scenario in which nothing is, and nothing happens. */
export const NOTHING: Scenario = {
  seed: 0,
  features: [],
  contexts: 0,
  flows: [],
  events: [],
  answers: 'burst',
  disorder: 0,
  costMs: 0,
  sizes: USUAL_SIZES,
  places: 8,
  retentionMs: null
}
