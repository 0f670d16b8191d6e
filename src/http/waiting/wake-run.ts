import type { FastifyInstance } from 'fastify'
import { MillraceError } from '../../errors.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { Run } from '../../runs/present/run-shape.ts'
import type { Runs } from '../../runs/runs.ts'
import type { WakeResult } from '../../store/waits.ts'
import { mayRead } from '../access/access.ts'
import { sendRun } from '../runs/run-input.ts'
import { visibleRun } from '../runs/visible-run.ts'
import { IdParams, notShown } from '../schemas.ts'

/** Ends a wait before its time: a Delay goes on, a call or an answer is waited for no longer. */
export function wakeRunRoute(
  app: FastifyInstance,
  deps: { readonly runs: Runs; readonly library: FlowLibrary }
): void {
  app.post<{ Params: { id: string }; Body: { node: string } }>(
    '/api/v1/runs/:id/wake',
    {
      config: { access: 'write' },
      schema: {
        tags: ['Runs'],
        operationId: 'wakeRun',
        summary: 'End a wait of a run now',
        refuses: ['run_not_found', 'not_waiting'],
        description:
          'A Delay goes on at once, and so does a step that waits for its next attempt by a schedule; a Wait for call or an Approve goes on by timed_out. Where the node does not wait, the answer is 409.',
        params: IdParams,
        body: Type.Object(
          { node: Type.String({ minLength: 1, maxLength: 100, description: 'The node that waits' }) },
          { additionalProperties: false }
        ),
        response: { 200: Run, 204: notShown() }
      }
    },
    async (request, reply) => {
      const { node } = request.body
      const run = await visibleRun(request, deps)
      const result = await deps.runs.wake(run, node, { by: 'time', value: null })
      if (!result.won) throw notWaiting(node, result.because)
      if (!mayRead(request)) return reply.code(204).send()
      return sendRun(reply, deps.runs, await deps.runs.get(request.params.id))
    }
  )
}

type Refusal = Extract<WakeResult, { won: false }>['because']

const REASONS: Readonly<Record<Refusal, string>> = {
  ended: 'the run has ended',
  over: 'its time is over',
  woken: 'it was ended before',
  none: 'it does not wait for a time, a call or an answer'
}

function notWaiting(node: string, because: Refusal): MillraceError {
  return new MillraceError('not_waiting', `There is no wait of "${node}" to end: ${REASONS[because]}.`)
}
