import type { Flow } from './flow.ts'

/** A flow is live as soon as it is made, and a blank one does nothing: nobody would call that published. */
export function isAnythingLive({ nodes }: Pick<Flow, 'nodes'>): boolean {
  return nodes.length > 0
}

/** What callers get, in a few words. */
export function liveInWords(live: {
  readonly version: number
  readonly document: Pick<Flow, 'nodes'>
}): string {
  return isAnythingLive(live.document) ? `Version ${live.version} is live` : 'Nothing is live yet'
}

/** Whether callers find an address of this node: it is part of what is live, and takes part in runs. */
export function hasLiveAddress({ nodes }: Pick<Flow, 'nodes'>, type: string): boolean {
  return nodes.some((node) => node.type === type && node.disabled !== true)
}
