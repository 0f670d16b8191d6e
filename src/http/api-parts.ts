import type { Catalogue } from '../flows/component/catalogue.ts'
import type { Sessions } from '../runs/chat/sessions.ts'
import type { RunAddresses } from '../runs/steps/linked-scope.ts'
import type { MessageStore } from '../store/message-store.ts'
import type { RunStore } from '../store/store.ts'
import type { TriggerStore } from '../store/triggers.ts'
import type { DescribeApi } from './operations/api-description.ts'
import type { ServiceDeps } from './service-deps.ts'
import type { SignInDeps } from './session/sign-in.ts'

/** What the folders of the API make their routes of. Each takes what it needs. */
export interface ApiParts extends ServiceDeps, Omit<SignInDeps, 'keys'> {
  readonly catalogue: Catalogue
  readonly runStore: RunStore
  readonly messages: MessageStore
  readonly conversations: Sessions
  readonly triggers: TriggerStore
  readonly addresses: RunAddresses
  readonly now: () => number
  /** The largest body with a payload in it. */
  readonly payloadLimit: number
  /** Where people reach the service; null where nobody said: then it is where the request came to. */
  readonly publicUrl: string | null
  readonly describeApi: DescribeApi
}
