import { type Actor, canSee, may } from '../../keys/rights.ts'
import type { LiveFlow } from '../../library/live-flow.ts'

/*
 * Who may start a flow by its webhook, as far as that is known before the body is read. Both ways of a webhook ask here: the
 * fast path leaves whatever is refused to the long one, which says why.
 */

/** What the flow asks of its caller. Of one that is not there a key, as of most: without a good one nobody learns more. */
export function askedOfCaller(flow: LiveFlow | undefined): 'nothing' | 'signature' | 'secret' | 'key' {
  const auth = flow?.webhook?.auth
  switch (auth) {
    case 'None':
      return 'nothing'
    case 'Signature':
      return 'signature'
    case 'Token':
    case 'Basic':
      return 'secret'
    default:
      return 'key'
  }
}

/** What keeps a caller with this key from it; undefined where nothing does. */
export function keyRefusal(
  actor: Actor | undefined,
  flow: LiveFlow | undefined
): 'no key' | 'no flow' | 'no right' | undefined {
  if (actor === undefined) return 'no key'
  // With a good key, an absent flow and one that the key may not see are the same.
  if (flow === undefined || !canSee(actor, flow)) return 'no flow'
  return may(actor, 'trigger') ? undefined : 'no right'
}

/** Whether it was called by a former slug. */
export function isAlias(reference: string, { slug, id }: LiveFlow): boolean {
  return reference !== slug && reference !== id
}
