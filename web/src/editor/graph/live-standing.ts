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

/** What publishing came to. The number of a first one would be a riddle: that of the blank flow is 1. */
export function publishedInWords(before: Pick<Flow, 'nodes'>, version: number): string {
  return isAnythingLive(before) ? `Version ${version} is live.` : 'The flow is live.'
}

/** What came back when `version` was taken back. */
export function undoneInWords(
  back: { readonly version: number } & Pick<Flow, 'nodes'>,
  version: number
): string {
  return isAnythingLive(back)
    ? `What was live before version ${version} is live again, as version ${back.version}. What you had published is the draft.`
    : 'Nothing is live any more. What you had published is the draft.'
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
