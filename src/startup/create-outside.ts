import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { MODEL_KINDS, type ModelKind } from '../components/language-model/model-kinds.ts'
import { assertInstalled } from '../components/language-model/model-packages.ts'
import { tryMailServer } from '../components/send-email/try-mail-server.ts'
import { listTables } from '../components/sql/list-tables.ts'
import { DATABASE_KINDS } from '../components/sql/open-database.ts'
import { tryDatabase } from '../components/sql/try-database.ts'
import type { Connection } from '../connections/connection.ts'
import type { ConnectionLibrary } from '../connections/connection-library.ts'
import { ConnectionOpener } from '../connections/connection-opener.ts'
import { ConnectionResources } from '../connections/connection-resources.ts'
import { ConnectionTables } from '../connections/connection-tables.ts'
import type { ConnectionDocuments } from '../connections/documents/connection-documents.ts'
import { ConnectionModels } from '../connections/models/connection-models.ts'
import { Authorization } from '../connections/oauth/authorization.ts'
import { OAuthTokens } from '../connections/oauth/oauth-tokens.ts'
import { ConnectionPaces, OwnSlots, type PaceSlots } from '../connections/pace/connection-paces.ts'
import type { SecretKeys } from '../connections/secret-keys.ts'
import { ConnectionTrials } from '../connections/trial/connection-trials.ts'
import { readAllowRule } from '../egress/allow-list.ts'
import type { CircuitNews } from '../egress/circuit.ts'
import { Circuits } from '../egress/circuits.ts'
import { Egress } from '../egress/egress.ts'
import type { TokenStore } from '../store/connections.ts'
import type { Config } from './config.ts'

interface OutsideOptions {
  readonly config: Pick<Config, 'egressAllow'>
  readonly tokens: TokenStore
  readonly connections: ConnectionLibrary
  readonly documents: ConnectionDocuments
  readonly keys: () => SecretKeys
  readonly assertFileAllowed: (connection: Connection) => void
  /** Where other processes use the connections as well. */
  readonly paces: PaceSlots | undefined
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn' | 'info'>
  readonly onError: (error: unknown, doing: string) => void
}

/** All by which the service reaches somebody else. */
export interface Outside {
  readonly egress: Egress
  readonly circuits: Circuits
  readonly resources: ConnectionResources
  readonly opener: ConnectionOpener
  readonly trials: ConnectionTrials
  readonly tables: ConnectionTables
  readonly models: ConnectionModels
  readonly authorization: Authorization
  readonly forgetTokens: (connectionId: string) => void
}

export function createOutside(options: OutsideOptions): Outside {
  const { config, tokens, connections, documents, keys, assertFileAllowed, paces, clock, log, onError } =
    options
  const resources = new ConnectionResources(clock, onError)
  const egress = new Egress({ allow: config.egressAllow.map(readAllowRule), clock })
  const openSecrets = (connection: Connection) => connections.openSecrets(connection)
  const oauth = new OAuthTokens({ store: tokens, keys, openSecrets, egress, clock })
  const opener = new ConnectionOpener({
    library: connections,
    egress,
    resources,
    documents,
    assertFileAllowed,
    paces: new ConnectionPaces({ slots: paces ?? new OwnSlots(() => clock.stopwatch()), clock }),
    accessToken: (connection, refused) => oauth.accessToken(connection, refused)
  })
  return {
    egress,
    circuits: new Circuits({ clock, onNews: (news, destination) => tellOf(news, destination, log) }),
    resources,
    opener,
    trials: new ConnectionTrials({ opener, clock, tryDatabase, tryMailServer }),
    tables: new ConnectionTables({ opener, clock, listTables, kinds: DATABASE_KINDS }),
    models: new ConnectionModels({
      opener,
      clock,
      kinds: MODEL_KINDS,
      assertUsable: (kind) => assertInstalled(kind as ModelKind)
    }),
    authorization: new Authorization({ tokens: oauth, keys, openSecrets, egress, clock }),
    forgetTokens: (connectionId) => oauth.forget(connectionId)
  }
}

/** Once for all who would call it: every one of them is held, and none fails for it at once. */
function tellOf(
  news: CircuitNews,
  destination: { readonly context: string; readonly name: string },
  log: OutsideOptions['log']
): void {
  const { name } = destination
  if (news.state === 'down')
    log.warn(
      { ...destination, failures: news.failures },
      `${name} is down: ${news.failures} deliveries in a row failed. Further ones are held, and one at a time tries it.`
    )
  else log.info({ ...destination, down_ms: news.downMs }, `${name} answers again. What was held goes on.`)
}
