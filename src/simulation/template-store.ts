import { USUAL_SIZES } from '../runs/dispatch/dispatch-sizes.ts'
import type { Scenario } from './life/scenario.ts'
import { Folders } from './world/folders.ts'
import { World } from './world/world.ts'

export interface Ground {
  readonly folders: Folders
  readonly template: string
  /** Rules whose breach is passed over. */
  readonly passedOver?: ReadonlySet<string>
}

/** Makes a store once, and closes it: each scenario begins with a copy, which is quicker than to make one. */
export async function prepareGround(below?: string): Promise<Ground> {
  const folders = new Folders(below)
  const world = new World({ scenario: NOTHING, folders, template: folders.make(), onBegin: () => {} })
  await world.start()
  for (const live of world.deps.library.list())
    await world.until(world.deps.library.remove(live.id), 'a removal')
  await world.stop()
  return { folders, template: world.folder }
}

const NOTHING: Scenario = {
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
