import assert from 'node:assert/strict'
import type { FlowBody, RunBody } from './api-client.ts'
import type { Service } from './service.ts'

export type Waiting = RunBody & {
  readonly output: unknown
  readonly waiting: readonly Record<string, unknown>[]
}

export const edge = (from: string, to: string) => ({ from, to })

/** Starts a run and comes back when it waits. */
export async function startWaiting(
  service: Service,
  flow: FlowBody,
  body = '{"total":20}'
): Promise<Waiting> {
  const events = await service.events(flow.id)
  const id = await service.start(flow.slug, body)
  await events.until(({ event, data }) => event === 'run.waiting' && data.run_id === id)
  events.close()
  return (await service.readRun(id)) as Waiting
}

export const outputOf = ({ steps }: RunBody, node: string) =>
  steps.find((step) => step.node === node)!.outputs

export const ended = async (service: Service, id: string) => (await service.waitForRun(id)) as Waiting

export interface ApprovalBody {
  readonly id: string
  readonly [member: string]: unknown
}

export async function approvals(
  service: Pick<Service, 'get'>,
  query: string,
  key?: string
): Promise<ApprovalBody[]> {
  const answer = await service.get(`/api/v1/approvals${query}`, key === undefined ? {} : { key })
  assert.equal(answer.status, 200, answer.text)
  return answer.json<{ approvals: ApprovalBody[] }>().approvals
}
