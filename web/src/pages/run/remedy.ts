import type { Run } from '../../api/shapes.ts'

interface RemedyFacts {
  /** Whether the node that failed does the same with the same input every time; undefined where nobody knows. */
  readonly isPure: boolean | undefined
  /** The live version of the flow; undefined where the flow is gone. */
  readonly liveVersion: number | undefined
}

/** What to do about a run that failed, besides what the error itself says: which of the two ways to run it again helps. */
export function remedyFor(run: Pick<Run, 'flow_version' | 'error' | 'trigger'>, facts: RemedyFacts): string {
  const { flow_version: version } = run
  const { isPure, liveVersion } = facts
  if (run.trigger === 'repeat') {
    return 'A round is retried and replayed with the run that it belongs to. A retry of that run goes on with the round that failed.'
  }
  if (run.trigger === 'agent') {
    return 'The agent was told of this, and went on. A call is retried and replayed with the run that it belongs to.'
  }
  if (run.trigger === 'for-each') {
    return 'An item is retried and replayed with the run that it belongs to. A retry of that run goes on with the items that failed.'
  }
  if (liveVersion === undefined) {
    return 'The flow has been deleted, so its input cannot be run again until it is restored.'
  }
  if (isPure === true && liveVersion === version) {
    return 'Fix the node on the canvas and publish, then replay: a replay runs the same input on the version that is live then. A retry stays on the version of this run and would fail the same way.'
  }
  if (liveVersion !== version) {
    return `This run used version ${version}; version ${liveVersion} is live now. Replay runs the same input on version ${liveVersion}. Retry goes on from the failed step on version ${version}.`
  }
  return 'When the service that it calls works again, retry: the run continues from the failed step, and nothing before it runs again.'
}
