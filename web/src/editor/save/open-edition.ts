import type { DraftStanding } from '../graph/draft-standing.ts'
import type { EditedFlow } from '../graph/read-draft.ts'
import type { SavedFlow } from '../graph/saved-flow.ts'

/** What was read when the flow was opened, as an edition that goes on from what the browser kept. */
export function openEdition(opened: EditedFlow, kept: SavedFlow | undefined): SavedFlow & EditedFlow {
  if (kept === undefined) return { ...opened, edition: 1 }
  return { ...opened, edition: isSame(opened.standing, kept) ? kept.edition : kept.edition + 1 }
}

function isSame({ revision, liveVersion }: DraftStanding, { standing }: SavedFlow): boolean {
  return revision === standing.revision && (revision > 0 || liveVersion === standing.liveVersion)
}
