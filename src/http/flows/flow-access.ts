import type { FastifyRequest } from 'fastify'
import { isWithin } from '../../contexts/context-path.ts'
import { MillraceError } from '../../errors.ts'
import type { Catalogue } from '../../flows/component/catalogue.ts'
import { withoutSecrets } from '../../flows/component/without-secrets.ts'
import type { FlowDocument } from '../../flows/document/flow-document.ts'
import type { DraftDocument } from '../../flows/validate/draft-document.ts'
import { type Actor, canSee, may } from '../../keys/rights.ts'
import type { Maker } from '../../library/edit.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { flowNotFound } from '../../library/flow-refusals.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { actorOf, knowsContext, mayRead } from '../access/access.ts'

/** The contexts that the caller may learn of. */
export function knownTo(request: FastifyRequest, library: FlowLibrary): (context: string) => boolean {
  return (context) => knowsContext(request, library, context)
}

/** Whoever makes a version by this request. */
export function makerOf(request: FastifyRequest, library: FlowLibrary): Required<Maker> {
  const actor = actorOf(request)
  return {
    knows: knownTo(request, library),
    author: actor.name,
    mayTake: (deleted) => canSee(actor, deleted)
  }
}

/** Only whoever may write a flow reads the secrets in it. */
export function readableDocument(
  request: FastifyRequest,
  document: FlowDocument,
  catalogue: Pick<Catalogue, 'find'>
): FlowDocument {
  return may(actorOf(request), 'write') ? document : withoutSecrets(document, catalogue)
}

/** The same of a draft. What it names its components and its context may be anything. */
export function readableDraft(
  request: FastifyRequest,
  document: DraftDocument,
  catalogue: Pick<Catalogue, 'find'>
): DraftDocument {
  const find = (context: unknown, type: unknown) =>
    typeof context === 'string' && typeof type === 'string' ? catalogue.find(context, type) : undefined
  return readableDocument(request, document as unknown as FlowDocument, { find }) as DraftDocument
}

/** What is wrong with a draft is told in its own words: a key that may not read it learns only that something is. */
export async function toldToReaders<T>(request: FastifyRequest, body: () => Promise<T>): Promise<T> {
  try {
    return await body()
  } catch (error) {
    const isTold = mayRead(request) || !(error instanceof MillraceError) || error.code !== 'flow_invalid'
    if (isTold) throw error
    const message = 'The draft is not valid. A key with the right to read is told what is wrong with it.'
    throw new MillraceError('flow_invalid', message)
  }
}

export function assertMayCreate(actor: Actor, context: unknown): void {
  if (actor.flowId !== null) {
    throw forbidden(`The key "${actor.name}" is bound to one flow and cannot make another.`)
  }
  assertWithin(actor, context)
}

/**
 * A flow reads the variables of its context, and the guards there stand before its webhook. So a key that is bound to
 * a context must not put a flow outside of it, and one that is bound to a flow must leave it where it is. Both are
 * refused in the same words whether or not there is such a context.
 */
export function assertMayPut(actor: Actor, live: LiveFlow, context: unknown): void {
  if (!canSee(actor, live)) throw flowNotFound()
  if (actor.flowId !== null && context !== live.context) {
    throw forbidden(
      `The key "${actor.name}" is bound to one flow and cannot move it out of the context ${live.context}. Leave "context" out, or use a key that sees both contexts.`
    )
  }
  assertWithin(actor, context)
}

function assertWithin(actor: Actor, context: unknown): void {
  const target = typeof context === 'string' ? context : '/'
  if (actor.context === null || isWithin(target, actor.context)) return
  throw forbidden(
    `The key "${actor.name}" is bound to the context ${actor.context} and cannot put a flow into ${target}.`
  )
}

function forbidden(message: string): MillraceError {
  return new MillraceError('forbidden', message)
}
