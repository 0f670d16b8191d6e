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

/** How the draft stands to what is live. */
export function standingInWords(live: Parameters<typeof liveInWords>[0], hasChanges: boolean): string {
  if (!isAnythingLive(live.document))
    return 'Nothing is live yet: callers find the flow once it is published.'
  return hasChanges
    ? `${liveInWords(live)}. The draft differs from it: Publish shows how.`
    : `${liveInWords(live)}, and the draft is the same.`
}

/** Whether callers find an address of this node: it is part of what is live, and takes part in runs. */
export function hasLiveAddress({ nodes }: Pick<Flow, 'nodes'>, type: string): boolean {
  return nodes.some((node) => node.type === type && node.disabled !== true)
}
