import type { OpenRun } from '../../store/children.ts'
import type { AcceptedRun, RunToEnd } from '../../store/store.ts'
import type { Dispatch } from '../dispatch/dispatch.ts'
import type { NewsOfRun } from '../execute/executing-run.ts'

interface RemoteDispatchDeps {
  readonly tellWork: (flowId: string) => void
  readonly wantCancel: (run: RunToEnd) => Promise<boolean>
  readonly tellToAsk: (runIds: readonly string[]) => void
  readonly tellWoken: (runId: string) => void
}

/** For a process that accepts runs and leaves it to workers to execute them. */
export class RemoteDispatch implements Dispatch {
  readonly #deps: RemoteDispatchDeps

  constructor(deps: RemoteDispatchDeps) {
    this.#deps = deps
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  offer({ flowId }: AcceptedRun): void {
    this.#deps.tellWork(flowId)
  }

  reopening(): void {}

  notReopened(): void {}

  resume({ flowId }: AcceptedRun): void {
    this.#deps.tellWork(flowId)
  }

  mayHaveDue(flowIds: readonly string[]): void {
    for (const flowId of flowIds) this.#deps.tellWork(flowId)
  }

  tell(runId: string, news: NewsOfRun): void {
    if (news === 'woken') this.#deps.tellWoken(runId)
  }

  mayHaveRoomAgain(): void {}

  pauseChanged(): void {}

  isActive(): boolean {
    return false
  }

  ending(): () => void {
    return () => {}
  }

  cancel(run: RunToEnd): Promise<boolean> {
    return this.#deps.wantCancel(run)
  }

  stopOrphaned(runs: readonly OpenRun[]): readonly OpenRun[] {
    this.#deps.tellToAsk(runs.filter(({ isClaimed }) => isClaimed === true).map(({ id }) => id))
    return runs.filter(({ isClaimed }) => isClaimed !== true)
  }
}
