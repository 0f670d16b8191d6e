import type { Trouble } from '../../../connection-forms/missing-connections.ts'
import type { Standing } from '../../../editor/connection-lookup/connection-standing.ts'

export function troublesOf(standings: readonly Standing[]): Trouble[] {
  return standings.map(({ node, means, kinds, state }) => ({ node, name: means, kinds, state }))
}
