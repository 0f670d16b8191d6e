import type { Clock } from '../../clock.ts'
import type { TestScope } from '../../engine/plan-test.ts'
import type { RunTrigger } from '../../flows/component/component.ts'
import type { FlowDocument } from '../../flows/document/flow-document.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { NamedFiles } from '../../store/files.ts'
import type { NewRun } from '../../store/store.ts'

/** Its files are handed over: what becomes of their bytes is none of the caller's business any more. */
export interface Start extends NamedFiles {
  readonly flow: Pick<LiveFlow, 'id' | 'version' | 'paused'>
  readonly trigger: RunTrigger
  /** The payload, byte for byte. */
  readonly input: Uint8Array
  readonly request?: string | null
  readonly session?: string
  readonly replayOf?: string
  /** The context that it runs in, where that is not its flow's. */
  readonly context?: string | null
  /** It begins also while the flow is paused: somebody tries the flow out. */
  readonly beginsWhilePaused?: true
}

/** A run that tries a document out. Its flow is at the version that the document is based on. */
export interface TestStart extends Omit<Start, 'beginsWhilePaused'> {
  readonly document: FlowDocument
  readonly scope?: TestScope
}

/** Its flow is paused, as far as this process knows. */
export function isToBeHeld({ flow, beginsWhilePaused }: Start): boolean {
  return flow.paused !== null && beginsWhilePaused !== true
}

export function newRun(start: Start, clock: Pick<Clock, 'newId' | 'now'>): NewRun {
  const { flow, trigger, input, request, session, replayOf, context } = start
  const run: NewRun = {
    id: clock.newId(),
    flowId: flow.id,
    flowVersion: flow.version,
    trigger,
    session: session ?? 'default',
    createdAt: clock.now(),
    input,
    request: request ?? null,
    replayOf: replayOf ?? null,
    context: context ?? null
  }
  if (start.beginsWhilePaused !== true && flow.paused === null && !namesFiles(start)) return run
  const { files, uses } = start
  return {
    ...run,
    ...(files !== undefined && { files }),
    ...(uses !== undefined && { uses }),
    ...(start.beginsWhilePaused === true
      ? { whilePaused: 'begin' }
      : flow.paused !== null && { whilePaused: 'hold' })
  }
}

function namesFiles({ files, uses }: NamedFiles): boolean {
  return files !== undefined || uses !== undefined
}
