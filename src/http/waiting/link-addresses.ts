import type { LinkName } from '../../flows/graph/run-links.ts'
import type { LinkTokens } from '../../keys/link-tokens.ts'
import type { RunAddresses } from '../../runs/steps/linked-scope.ts'
import type { OwnAddress } from './own-address.ts'

export const LINK_PATHS: Readonly<Record<LinkName, string>> = {
  resume: '/api/v1/resume/',
  approve: '/approve/'
}

/** The whole addresses at which a run takes its calls and answers. */
export function linkAddresses(tokens: LinkTokens, own: OwnAddress): RunAddresses {
  return {
    of: (name, runId, node) => {
      const { base } = own
      return base === undefined ? undefined : base + LINK_PATHS[name] + tokens.write(name, { runId, node })
    }
  }
}
