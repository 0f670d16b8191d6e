import type { Trouble } from '../../../connections/missing-connections.ts'
import type { Standing } from '../../../editor/connections/connection-standing.ts'

export function troublesOf(standings: readonly Standing[]): Trouble[] {
  return standings.map(({ node, means, kinds, state }) => ({ node, name: means, kinds, state }))
}
