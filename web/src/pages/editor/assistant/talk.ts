import type { AssistantEnd } from '../../../api/assistant.ts'
import type { Run } from '../../../api/shapes.ts'
import type { Flow } from '../../../editor/graph/flow.ts'

/** What was said and proposed so far. */
export interface Talk {
  readonly turns: readonly { readonly asked: string; readonly answered: string }[]
  readonly end: AssistantEnd | undefined
  readonly proposal: Proposed | undefined
}

export interface Proposed {
  /** The draft when the model was first asked. */
  readonly base: Flow
  readonly flow: Flow
  readonly summary: string
  readonly errors: AssistantProposal['errors']
  readonly warnings: AssistantProposal['warnings']
  /** The last test of it. */
  readonly run: Run | undefined
}

type AssistantProposal = NonNullable<AssistantEnd['proposal']>

export const NO_TALK: Talk = { turns: [], end: undefined, proposal: undefined }

/** While the model is asked: what it does, and what it has said. */
export interface Asking {
  readonly doing: readonly string[]
  readonly text: string
}

const MOST_TURNS = 20
const LONGEST = 8_000

/** The talk with one more answer; a proposal that came to nothing leaves the one before as it was. */
export function afterAnswer(
  talk: Talk,
  { asked, end, proposal }: { asked: string; end: AssistantEnd; proposal: Omit<Proposed, 'run'> | undefined }
): Talk {
  // What came to nothing was not said: it stands in the form again.
  if (end.status === 'failed' && proposal === undefined) return { ...talk, end }
  const answered = [end.text, end.proposal?.summary ?? ''].filter((text) => text !== '').join('\n')
  const turn = { asked: asked.slice(0, LONGEST), answered: answered.slice(0, LONGEST) }
  return {
    turns: [...talk.turns, turn].slice(-MOST_TURNS),
    end,
    proposal: proposal === undefined ? talk.proposal : { ...proposal, run: undefined }
  }
}
