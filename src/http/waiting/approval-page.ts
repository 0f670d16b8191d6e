import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { LinkTokens } from '../../keys/link-tokens.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { Approvals } from '../../runs/approvals.ts'
import type { RunStore, StoredRun } from '../../store/store.ts'
import type { StoredWait } from '../../store/waits.ts'
import { sendDocument } from '../page/plain-document.ts'
import { APPROVAL_STYLE, documentOf, LONGEST_NAME, type Shown } from './approval-document.ts'
import { LONGEST_COMMENT } from './approvals.ts'
import { LINK_PATHS } from './link-addresses.ts'

interface ApprovalPageDeps {
  readonly approvals: Approvals
  readonly library: FlowLibrary
  readonly runStore: Pick<RunStore, 'get'>
  readonly linkTokens: LinkTokens
  /** What addresses that are told begin with. */
  readonly prefix: string
}

type LinkRequest = FastifyRequest<{ Params: { token: string } }>

const schema = { hide: true, response: { 200: Type.String() } }

/**
 * The link of a question, for people without a key. It is signed for one node of one run, so whoever has it may answer:
 * that is what it is sent for. Programs that follow links in mails only read: nothing is decided by a GET. No cookie is
 * asked for, so another site that sends a visitor here would need the link itself.
 */
export function approvalPage(scope: FastifyInstance, deps: ApprovalPageDeps): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body))))
  )
  scope.get<{ Params: { token: string } }>(
    `${LINK_PATHS.approve}:token`,
    { config: { access: 'public' }, schema },
    async (request, reply) => {
      const asked = await findAsked(request, deps)
      return send(reply, 200, 'notice' in asked ? asked.notice : shownAs(asked, deps))
    }
  )
  scope.post<{ Params: { token: string }; Body: Record<string, string> | undefined }>(
    `${LINK_PATHS.approve}:token`,
    { config: { access: 'public' }, schema },
    (request, reply) => takeAnswer(request, reply, deps)
  )
}

async function takeAnswer(
  request: FastifyRequest<{ Params: { token: string }; Body: Record<string, string> | undefined }>,
  reply: FastifyReply,
  deps: ApprovalPageDeps
): Promise<FastifyReply> {
  const asked = await findAsked(request, deps)
  if ('notice' in asked) return send(reply, 200, asked.notice)
  const { choice = '', comment = '', by = '' } = request.body ?? {}
  try {
    await deps.approvals.answer(asked.wait, {
      choice,
      comment: comment.trim().slice(0, LONGEST_COMMENT) || null,
      by: by.trim().slice(0, LONGEST_NAME) || null,
      via: 'link'
    })
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error
    const now = await findAsked(request, deps)
    return send(reply, error.status, 'notice' in now ? now.notice : shownAs(now, deps, error.message))
  }
  // To the same address by GET: to load it again answers nothing again.
  return reply
    .code(303)
    .header('location', `${deps.prefix}${LINK_PATHS.approve}${encodeURIComponent(request.params.token)}`)
    .send()
}

interface Asked {
  readonly run: StoredRun
  readonly wait: StoredWait
}

type Notice = Extract<Shown, { kind: 'notice' }> & { readonly status: number }

async function findAsked(request: LinkRequest, deps: ApprovalPageDeps): Promise<Asked | { notice: Notice }> {
  const target = deps.linkTokens.read('approve', request.params.token)
  if (target === undefined) return { notice: NOT_VALID }
  const run = await deps.runStore.get(target.runId)
  if (run === undefined) return { notice: GONE }
  const wait = await deps.approvals.ofNode(run, target.node)
  if (wait !== undefined) return { run, wait }
  return { notice: run.outcome === null ? NOT_YET : GONE }
}

function shownAs({ run, wait }: Asked, { approvals, library }: ApprovalPageDeps, problem?: string): Shown {
  const approval = approvals.present(wait)
  const flow = library.find(run.flowId)?.document.name ?? 'A flow that was deleted'
  if (approval.status !== 'open') return { kind: 'closed', approval, flow }
  return { kind: 'question', approval, flow, ...(problem !== undefined && { problem }) }
}

function send(reply: FastifyReply, status: number, shown: Shown | Notice): FastifyReply {
  return sendDocument(reply, {
    status: 'status' in shown ? shown.status : status,
    style: APPROVAL_STYLE,
    ...documentOf(shown, LONGEST_COMMENT),
    hasForm: shown.kind === 'question'
  })
}

const NOT_VALID: Notice = {
  kind: 'notice',
  status: 404,
  title: 'This link is not valid',
  text: 'Check that it was copied as a whole, or ask whoever sent it to you.'
}
const GONE: Notice = {
  kind: 'notice',
  status: 410,
  title: 'There is nothing to decide any more',
  text: 'What was asked here has ended and was put away.'
}
const NOT_YET: Notice = {
  kind: 'notice',
  status: 200,
  title: 'The question is not asked yet',
  text: 'What it is about is still being worked on. Open this link again in a moment.'
}
