import type { Assistant } from '../assistant/assistant.ts'
import type { Clock } from '../clock.ts'
import type { ConnectionLibrary } from '../connections/connection-library.ts'
import type { ConnectionTables } from '../connections/connection-tables.ts'
import type { ConnectionDocuments } from '../connections/documents/connection-documents.ts'
import type { ConnectionModels } from '../connections/models/connection-models.ts'
import type { Authorization } from '../connections/oauth/authorization.ts'
import type { ConnectionTrials } from '../connections/trial/connection-trials.ts'
import type { ContextTree } from '../contexts/context-tree.ts'
import type { DocumentReader } from '../documents/document-reader.ts'
import type { Egress } from '../egress/egress.ts'
import type { Files } from '../files/files.ts'
import type { UploadRoom } from '../files/upload-room.ts'
import type { KeyGuesses } from '../keys/key-guesses.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { LinkTokens } from '../keys/link-tokens.ts'
import type { Sessions } from '../keys/sessions.ts'
import type { SignInLinks } from '../keys/sign-in-links.ts'
import type { TestAddressTokens } from '../keys/test-address-tokens.ts'
import type { Collections } from '../knowledge/collections.ts'
import type { KnowledgeForPeople } from '../knowledge/knowledge-for-people.ts'
import type { Comments } from '../library/comments.ts'
import type { ContextLibrary } from '../library/context-library.ts'
import type { Drafts } from '../library/drafts.ts'
import type { FlowLibrary } from '../library/flow-library.ts'
import type { Presence } from '../library/presence.ts'
import type { Pushes } from '../library/push/pushes.ts'
import type { Spending } from '../runs/costs/spending.ts'
import type { KeptLibrary } from '../runs/kept/kept-library.ts'
import type { Expectations } from '../runs/rehearsal/expectations.ts'
import type { Rehearsals } from '../runs/rehearsal/rehearsals.ts'
import type { FlowBin } from '../runs/retention/flow-bin.ts'
import type { Runs } from '../runs/runs.ts'
import type { Pins } from '../runs/steps/pins.ts'
import type { Store } from '../store/store.ts'
import type { TryWatch } from '../triggers/watch/try-watch.ts'
import type { Metrics } from './operations/metrics.ts'
import type { Refusals } from './operations/refusals.ts'
import type { KnownHosts } from './requests/known-hosts.ts'
import type { OwnAddress } from './waiting/own-address.ts'
import type { ContextWebhooks } from './webhook/context-webhooks.ts'
import type { RateLimits } from './webhook/rate-limiter.ts'

/** What the service is made of, as its routes see it. */
export interface ServiceDeps {
  readonly store: Store
  readonly files: Files
  readonly uploads: UploadRoom
  readonly library: FlowLibrary
  readonly drafts: Drafts
  readonly comments: Comments
  readonly presence: Presence
  readonly pushes: Pushes
  readonly pins: Pins
  readonly rehearsals: Rehearsals
  readonly expectations: Expectations
  readonly tryWatch: TryWatch
  readonly kept: KeptLibrary
  readonly collections: Collections
  readonly knowledgeForPeople: KnowledgeForPeople
  readonly documents: DocumentReader
  readonly contexts: ContextLibrary
  readonly connections: ConnectionLibrary
  readonly apiDocuments: ConnectionDocuments
  readonly trials: ConnectionTrials
  readonly tables: ConnectionTables
  readonly models: ConnectionModels
  readonly authorization: Authorization
  readonly egress: Pick<Egress, 'fetch'>
  readonly runs: Runs
  readonly spending: Spending
  readonly assistant: Assistant
  readonly bin: FlowBin
  readonly keys: KeyRing
  readonly sessions: Sessions
  readonly signInLinks: SignInLinks
  /** Wrong keys by address, wherever they are sent. */
  readonly guesses: KeyGuesses
  readonly hosts: KnownHosts
  /** Where others reach the service. */
  readonly ownAddress: OwnAddress
  readonly linkTokens: LinkTokens
  readonly testAddresses: TestAddressTokens
  readonly refusals: Refusals
  readonly tree: ContextTree
  readonly webhooks: ContextWebhooks
  readonly metrics: Metrics
  readonly clock: Clock
  readonly version: string
  readonly bodyLimit: number
  /** What the operator has set, as it is told. */
  readonly settings: readonly {
    readonly name: string
    readonly value: number | string | readonly string[] | null
    readonly isDefault: boolean
  }[]
  /** One for the service: a flow has one limit, wherever its webhook is served. */
  readonly limiter: RateLimits
  /** False for a worker, which answers for its health and nothing else. */
  readonly servesAll: boolean
  /** The folder of the built page. */
  readonly pageFolder: string
  readonly isStopping: () => boolean
  readonly standsStill: () => boolean
  readonly onError: (error: unknown, doing: string) => void
}
