import type { Flow } from './flow.ts'

/** A flow is live as soon as it is made, and a blank one does nothing: nobody would call that published. */
export function isAnythingLive({ nodes }: Pick<Flow, 'nodes'>): boolean {
  return nodes.length > 0
}

/** Whether callers find an address of this node: it is part of what is live, and takes part in runs. */
export function hasLiveAddress({ nodes }: Pick<Flow, 'nodes'>, type: string): boolean {
  return nodes.some((node) => node.type === type && node.disabled !== true)
}
