import type { FastifyReply } from 'fastify'
import type { LiveFlow } from '../../library/live-flow.ts'
import { timeText } from '../../runs/present/time-text.ts'
import { mayRead } from '../access/access.ts'

type Presentable = Pick<
  LiveFlow,
  'id' | 'version' | 'origin' | 'document' | 'createdAt' | 'updatedAt' | 'paused' | 'aliases' | 'warnings'
>

/** A flow as it is read: its document, and what was not in it. */
export function presentFlow(flow: Presentable, document = flow.document) {
  return {
    id: flow.id,
    version: flow.version,
    ...document,
    created_at: timeText(flow.createdAt),
    updated_at: timeText(flow.updatedAt),
    paused: flow.paused && { ...flow.paused, since: timeText(flow.paused.since) },
    aliases: flow.aliases,
    ...(flow.origin === 'file' && { from_file: true }),
    ...(flow.warnings.length === 0 ? {} : { warnings: flow.warnings })
  }
}

/** For what the caller has not sent itself. */
export function showFlow(reply: FastifyReply, flow: LiveFlow): FastifyReply {
  return mayRead(reply.request) ? reply.send(presentFlow(flow)) : reply.code(204).send()
}
