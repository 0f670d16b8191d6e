import { isWithin } from '../contexts/context-path.ts'

/** What a key may do. A key holds any set of them. */
export const RIGHTS = ['trigger', 'read', 'write', 'admin'] as const

export type Right = (typeof RIGHTS)[number]

export const RIGHT_HELP: Readonly<Record<Right, string>> = {
  trigger: 'start runs: webhooks, chat turns, run and replay; answer approvals',
  read: 'read flows (but not what secret fields hold), runs, messages and events',
  write: 'create, change and delete flows; cancel, retry and wake runs',
  admin: 'manage keys, contexts and connections'
}

/** Who makes a request: the key that came with it, narrowed to what it may see. */
export interface Actor {
  readonly keyId: string
  readonly name: string
  readonly rights: ReadonlySet<Right>
  readonly flowId: string | null
  readonly context: string | null
}

export function may(actor: Actor, right: Right): boolean {
  return actor.rights.has(right)
}

/** A key for one flow sees that flow; a key for a context sees the flows in it and in the contexts below. */
export function canSee(actor: Actor, flow: { readonly id: string; readonly context: string }): boolean {
  if (actor.flowId !== null && actor.flowId !== flow.id) return false
  return actor.context === null || isWithin(flow.context, actor.context)
}

/** Whether what the key may do, it may do to the context as a whole: the one that it is bound to, and those below. */
export function coversContext(actor: Pick<Actor, 'flowId' | 'context'>, path: string): boolean {
  return actor.flowId === null && (actor.context === null || isWithin(path, actor.context))
}

/** Whether the key sees every flow: neither bound to a flow nor to a context. */
export function seesAll(actor: Actor): boolean {
  return actor.flowId === null && (actor.context === null || actor.context === '/')
}
