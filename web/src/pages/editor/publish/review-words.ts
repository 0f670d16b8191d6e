import type { DraftReview, Reviewed } from '../../../api/publishing.ts'
import type { Flow } from '../../../editor/graph/flow.ts'
import { isAnythingLive } from '../../../editor/graph/live-standing.ts'

/** Runs are counted up to here; see src/http/flows/draft-changes-schema.ts. */
const MOST_RUNS = 100

/** "3 runs are still going. They finish on the version that they started with." Undefined where none does. */
export function openRunsInWords(count: number): string | undefined {
  if (count === 0) return undefined
  if (count === 1) return 'One run is still going. It finishes on the version that it started with.'
  const runs = count >= MOST_RUNS ? `${MOST_RUNS} or more runs` : `${count} runs`
  return `${runs} are still going. They finish on the version that they started with.`
}

/** A flow that was made blank has a version too, which does nothing: its first draft takes nobody's place. */
export function whatIsReplacedInWords(live: {
  readonly version: number
  readonly document: Pick<Flow, 'nodes'>
}): string {
  if (!isAnythingLive(live.document))
    return 'Nothing is live yet. The draft becomes the first version that runs.'
  return `The draft takes the place of version ${live.version}, which is live.`
}

/** What changed besides nodes and wires, a line each. */
export function otherChangesInWords({ members, notes, moved }: DraftReview): string[] {
  return [
    ...members.map(
      (name) => `${capitalized(name === 'slug' ? 'address' : name.replaceAll('_', ' '))} of the flow`
    ),
    ...(notes === 0 ? [] : [notes === 1 ? 'One note' : `${notes} notes`]),
    ...(moved === 0 ? [] : [moved === 1 ? 'One part was moved' : `${moved} parts were moved`])
  ]
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What became of a draft since somebody began to look at it. Undefined where nothing did. */
export function meanwhileInWords(first: Reviewed, now: Reviewed): string | undefined {
  if (now.liveVersion !== first.liveVersion) {
    return `Version ${now.liveVersion} went live meanwhile. What it changed is in the draft now: check it again before you publish.`
  }
  if (now.revision !== first.revision) {
    return 'The draft has changed since you opened this. You see it as it is now.'
  }
  return undefined
}
