import type { FlowNode } from '../document/flow-document.ts'
import { isReferenceName } from './run-references.ts'

/**
 * Addresses of a run that are known before the run has come there: `{$resume.<node>}` is where a Wait for call takes its
 * call, `{$approve.<node>}` where somebody without a key answers an Approve.
 */
export const LINK_NAMES = ['resume', 'approve'] as const

export type LinkName = (typeof LINK_NAMES)[number]

/** What each of them leads to. */
export const LINKED: Readonly<Record<LinkName, { readonly type: string; readonly title: string }>> = {
  resume: { type: 'wait-for-call', title: 'Wait for call' },
  approve: { type: 'approve', title: 'Approve' }
}

/** The nodes that addresses lead to. */
export type LinkedNodes = Readonly<Record<LinkName, readonly string[]>>

export type PlacedNode = Pick<FlowNode, 'id' | 'type'> & { readonly parent?: string | undefined }

/** Undefined where there are none, which is the usual case. */
export function linkedNodes(nodes: readonly PlacedNode[]): LinkedNodes | undefined {
  const of = (name: LinkName) => nodes.filter(({ type }) => type === LINKED[name].type).map(({ id }) => id)
  const linked = { resume: of('resume'), approve: of('approve') }
  return linked.resume.length + linked.approve.length === 0 ? undefined : linked
}

/** Whether a variable of this name would hide the addresses. */
export function isLinkName(name: string): name is LinkName {
  return (LINK_NAMES as readonly string[]).includes(name)
}

/** Why no variable may be called so, in words for whoever names one; undefined where it may. */
export function takenName(name: string): string | undefined {
  if (isLinkName(name))
    return `No variable may be called "${name}": {$${name}.<node>} is an address of the run. Choose another name.`
  if (isReferenceName(name))
    return `No variable may be called "${name}": {$${name}} is what templates read of the run. Choose another name.`
  return undefined
}
