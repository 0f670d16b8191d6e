import type { Catalogue } from '../../flows/component/catalogue.ts'
import type { Drafts } from '../../library/drafts.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { Runs } from '../../runs/runs.ts'
import type { Pins } from '../../runs/steps/pins.ts'
import type { FileAccessDeps } from '../files/file-access.ts'
import type { WaitDetailsDeps } from '../waiting/wait-details.ts'

export interface RunRoutesDeps extends WaitDetailsDeps, FileAccessDeps {
  readonly runs: Runs
  readonly library: FlowLibrary
  readonly drafts: Drafts
  readonly pins: Pins
  readonly prefix: string
  readonly catalogue: Pick<Catalogue, 'find'>
  /** The largest body with a payload in it. */
  readonly payloadLimit: number
}
