import type { Fault } from '../errors.ts'
import type { Knows } from '../flows/component/catalogue.ts'
import type { Turns } from '../flows/in-turns.ts'
import type { Flows } from './flow-loop.ts'
import { slugTaken } from './flow-refusals.ts'
import { type Surroundings, unpublishable, type Verdict } from './judge-flow.ts'
import type { LiveFlow } from './live-flow.ts'
import { operationFaults } from './operation-faults.ts'

interface ToPublish {
  readonly live: LiveFlow
  readonly slug: unknown
  readonly verdict: Verdict
  readonly knows: Knows | undefined
}

interface AllFlows extends Flows {
  find(reference: string): LiveFlow | undefined
  inTurns<T>(work: Turns<T>): T | Promise<T>
}

/** What keeps a document that was judged from becoming the flow's next version. */
export async function publishingFaults(
  { live, slug, verdict, knows }: ToPublish,
  around: Surroundings,
  flows: AllFlows
): Promise<readonly Fault[]> {
  const faults = await flows.inTurns(unpublishable(verdict, around, knows, flows))
  if (faults.length === 0) faults.push(...(await operationFaults(verdict.document, around)).faults)
  const owner = typeof slug !== 'string' || slug === live.slug ? undefined : flows.find(slug)
  if (owner !== undefined && owner.id !== live.id)
    faults.push({ code: 'slug_taken', path: '/slug', message: slugTaken(slug as string).message })
  return faults
}
