import type { FastifyRequest } from 'fastify'
import { may } from '../../keys/rights.ts'
import { questionOf } from '../../runs/present/approval.ts'
import type { PresentedWait } from '../../runs/present/run-shape.ts'
import type { RunAddresses } from '../../runs/steps/linked-scope.ts'
import type { RunStore, StoredRun } from '../../store/store.ts'
import { actorOf } from '../access/access.ts'

export interface WaitDetailsDeps {
  readonly runStore: Pick<RunStore, 'listWaits'>
  readonly addresses: RunAddresses
}

/** What those who look at a run need to end its waits: the questions, and for those who may run the flow the addresses. */
export async function waitDetails(
  request: FastifyRequest,
  run: Pick<StoredRun, 'id' | 'seq'>,
  waits: readonly PresentedWait[],
  { runStore, addresses }: WaitDetailsDeps
): Promise<PresentedWait[]> {
  const isAsking = waits.some(({ kind }) => kind === 'answer')
  const asked = isAsking ? await runStore.listWaits({ kind: 'answer', runSeq: run.seq, limit: 1_000 }) : []
  const mayRun = may(actorOf(request), 'trigger')
  return waits.map((wait) => {
    const { node, kind } = wait
    const row = kind === 'answer' ? asked.find((each) => each.node === node) : undefined
    const question = row === undefined ? undefined : questionOf(row)
    const resume = mayRun && kind === 'call' ? addresses.of('resume', run.id, node) : undefined
    const approve = mayRun && kind === 'answer' ? addresses.of('approve', run.id, node) : undefined
    return {
      ...wait,
      ...(question !== undefined && {
        question: question.text,
        choices: question.choices,
        approval_id: row!.id
      }),
      ...(resume !== undefined && { resume_url: resume }),
      ...(approve !== undefined && { approve_url: approve })
    }
  })
}
