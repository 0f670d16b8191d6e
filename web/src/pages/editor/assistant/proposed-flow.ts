import type { AssistantEnd } from '../../../api/assistant.ts'
import { applyCommand } from '../../../editor/commands/apply-command.ts'
import { compareFlows } from '../../../editor/compare/compare-flows.ts'
import type { Flow } from '../../../editor/graph/flow.ts'
import { openDraft } from '../../../editor/graph/read-draft.ts'
import type { Measures } from '../../../editor/layout/tidy.ts'
import { mergeFlows } from '../../../editor/merge/merge-flows.ts'

type Proposal = NonNullable<AssistantEnd['proposal']>

/** The proposal as it can be drawn: laid out anew where it has new nodes. Nobody has said where those are to stand. */
export async function drawnProposal(
  before: Flow,
  { document, errors }: Proposal,
  measuresOf: (flow: Flow) => Measures
): Promise<Flow> {
  const drawn = openDraft({ ...document, ...NO_DRAFT, errors }).document
  const { nodes } = compareFlows(before, drawn)
  if (nodes.added.length === 0) return drawn
  const added = new Set(nodes.added.map(({ id }) => id))
  // The corner of what is laid out stays where it is: that of what was there.
  const corner = before.nodes[0]?.position ?? { x: 0, y: 0 }
  const placed = {
    ...drawn,
    nodes: drawn.nodes.map((node) => (added.has(node.id) ? { ...node, position: corner } : node))
  }
  // Laying out is a library of its own. Where it does not come, the proposal is not lost.
  const loaded = await import('../../../editor/layout/tidy.ts').catch(() => undefined)
  return loaded === undefined ? placed : applyCommand(placed, loaded.tidy(placed, measuresOf(placed)))
}

const NO_DRAFT = {
  id: '',
  revision: 0,
  base_version: 0,
  live_version: 0,
  behind: false,
  author: null,
  created_at: '',
  updated_at: ''
}

/** What somebody did to the flow since the model was asked stays beside what it proposes. */
export function withWhatCameSince(base: Flow, proposed: Flow, now: Flow): Flow {
  return base === now ? proposed : mergeFlows({ base, mine: proposed, theirs: now }).flow
}
