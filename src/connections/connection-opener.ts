import type { Destination } from '../egress/address-policy.ts'
import { Caller, type CallRules } from '../egress/caller.ts'
import type { Egress } from '../egress/egress.ts'
import { destinationOf } from '../egress/guarded-lookup.ts'
import { StepError } from '../engine/step-error.ts'
import { MillraceError } from '../errors.ts'
import { didYouMean } from '../flows/closest-name.ts'
import type { OpenConnection } from '../flows/step/step-connection.ts'
import type { Connection } from './connection.ts'
import type { ConnectionLibrary } from './connection-library.ts'
import type { ConnectionResources } from './connection-resources.ts'
import type { ConnectionDocuments } from './documents/connection-documents.ts'
import { stepOperation } from './documents/step-operation.ts'
import { calledAddress, type HttpAdditions, httpAdditions, spelledByAdditions } from './http-additions.ts'
import { mailSignIn, signInHeaders } from './http-sign-in.ts'
import { kindOf } from './kinds/kinds.ts'
import { usesOAuth } from './oauth/uses-oauth.ts'
import type { OpenedSecrets } from './opened-secrets.ts'
import type { ConnectionPaces } from './pace/connection-paces.ts'
import { redactedAnswer, redactedResponse } from './redaction/redact-answers.ts'
import { SecretSpellings } from './redaction/secret-spellings.ts'

interface ConnectionOpenerDeps {
  readonly library: Pick<ConnectionLibrary, 'visible' | 'visibleNames' | 'openSecrets'>
  readonly egress: Egress
  readonly resources: ConnectionResources
  /** What APIs offer; without it no connection has a document. */
  readonly documents?: Pick<ConnectionDocuments, 'of' | 'operation' | 'search'>
  /** A token of a connection that signs in by OAuth; another one than `refused`. */
  readonly accessToken: (connection: Connection, refused?: string) => Promise<string>
  readonly paces: Pick<ConnectionPaces, 'turn'>
  /** Throws where the connection names a file that no step may open. */
  readonly assertFileAllowed?: (connection: Connection) => void
}

/** Who opens a connection: the attempt at a step that it ends with. */
interface OpenedFor {
  readonly signal: AbortSignal
  readonly secrets: OpenedSecrets
  /** Its time stands still meanwhile: it waits for its turn. Returns what ends that. Absent where nobody's turn is waited for. */
  readonly hold?: () => () => void
}

/** The origin of a connection, with what goes there. */
interface OwnPlace {
  readonly isOwn: (url: URL) => boolean
  readonly known: OpenedSecrets
  readonly added: HttpAdditions
}

interface TurnOf extends Pick<OwnPlace, 'isOwn'> {
  readonly hold: () => () => void
  readonly signal: AbortSignal
}

/** What follows from a connection alone. */
interface Ready {
  readonly secrets: Readonly<Record<string, string>>
  readonly signIn: Readonly<Record<string, string>>
  readonly added: HttpAdditions
  readonly spellings: SecretSpellings
  /** Where relative addresses begin, and the one origin that the sign-in is for. */
  readonly base: URL | undefined
}

/**
 * Opens connections for steps, trials and what the editor asks a peer. Opened secrets stay in memory here, in the clear, for as
 * long as the connection is unchanged; whoever gets one is given `OpenedSecrets` to take it out of what is said later.
 */
export class ConnectionOpener {
  readonly #deps: ConnectionOpenerDeps
  /** A connection that was changed, or read anew, is another object. */
  readonly #ready = new WeakMap<Connection, Ready>()
  readonly #tokens = new WeakMap<
    Connection,
    { readonly token: string; readonly spellings: SecretSpellings }
  >()

  constructor(deps: ConnectionOpenerDeps) {
    this.#deps = deps
  }

  /** The connection that flows of this context mean by the name. */
  openByName(
    context: string,
    { name, kinds }: { readonly name: string; readonly kinds: readonly string[] | undefined },
    opened: OpenedFor
  ): OpenConnection {
    const { library } = this.#deps
    if (name === '') throw noneChosen()
    const connection = library.visible(context, name)
    if (connection === undefined) throw notFound(name, context, library.visibleNames(context))
    if (kinds !== undefined && !kinds.includes(connection.kind)) throw wrongKind(connection, kinds)
    return this.open(connection, opened)
  }

  open(connection: Connection, { signal, secrets: known, hold }: OpenedFor): OpenConnection {
    const { egress, resources, assertFileAllowed } = this.#deps
    asStepError(() => assertFileAllowed?.(connection))
    const { secrets, signIn, spellings, base, added } = this.#readyOf(connection)
    known.add(spellings)
    const isOwn = (url: URL) => url.origin === base?.origin
    const caller = new Caller(egress, {
      ...(base !== undefined && { base }),
      trustedFor: (url) => trustedAt(connection, url),
      headersFor: (url, headers) =>
        isOwn(url) ? { ...added.headers, ...headers, ...signIn } : withoutSecrets(headers, known),
      ...(hold !== undefined && this.#turns(connection, { isOwn, hold, signal })),
      addressFor: (url) => (isOwn(url) ? calledAddress(url, added) : url),
      ...(usesOAuth(connection) && this.#tokenRules(connection, { isOwn, known, added })),
      assertMayLead: (url) => assertNoSecretIn(url, { isOwn, known }),
      signal
    })
    const open: OpenConnection = {
      name: connection.name,
      kind: connection.kind,
      settings: connection.settings,
      secrets,
      redact: (text) => known.redactText(text),
      request: async (url, sent) => redactedAnswer(await caller.request(url, sent), known),
      fetch: async (url, init) => redactedResponse(await caller.fetch(url, init), known),
      operation: (name) => stepOperation(this.#deps.documents, connection, name),
      socket: () => egress.socket(connection.isTrusted ? (destinationsOf(connection)[0] ?? null) : null),
      withResource: (resource, work) => resources.use(connection, resource, { open, work })
    }
    return open
  }

  /** All steps together send no more than the connection's rate. */
  #turns(connection: Connection, { isOwn, hold, signal }: TurnOf): Pick<CallRules, 'turnFor'> {
    const { rate } = connection.settings
    if (typeof rate !== 'number') return {}
    const turnFor = async () => {
      const release = hold()
      try {
        await this.#deps.paces.turn(connection.id, rate, signal)
      } finally {
        release()
      }
    }
    return { turnFor: (url) => (isOwn(url) ? turnFor() : undefined) }
  }

  /** A token may end before its time: a call that is refused with one gets another, once. */
  #tokenRules(
    connection: Connection,
    { isOwn, known, added }: OwnPlace
  ): Pick<CallRules, 'headersFor' | 'renewSignIn'> {
    const { accessToken } = this.#deps
    let token: string | undefined
    const obtain = async (refused?: string) => {
      token = await accessToken(connection, refused)
      known.add(this.#spellingsOfToken(connection, token))
      return token
    }
    return {
      headersFor: async (url, headers) => {
        if (!isOwn(url)) return withoutSecrets(headers, known)
        return { ...added.headers, ...headers, authorization: `Bearer ${token ?? (await obtain())}` }
      },
      renewSignIn: async (url) => {
        if (!isOwn(url) || token === undefined) return false
        const refused = token
        return (await obtain(refused)) !== refused
      }
    }
  }

  /** One token is used by many steps, and it takes a millisecond or more to work out how it may be written. */
  #spellingsOfToken(connection: Connection, token: string): SecretSpellings {
    const known = this.#tokens.get(connection)
    if (known?.token === token) return known.spellings
    const spellings = SecretSpellings.of([token])
    this.#tokens.set(connection, { token, spellings })
    return spellings
  }

  /** Opening the envelopes took longer than the rest of a step, so it is done once for each revision. */
  #readyOf(connection: Connection): Ready {
    const known = this.#ready.get(connection)
    if (known !== undefined) return known
    const secrets = asStepError(() => this.#deps.library.openSecrets(connection))
    const signIn = signInHeaders(connection, secrets)
    const added = httpAdditions(connection, secrets)
    const said = [...mailSignIn(connection, secrets), ...spelledByAdditions(added, secrets)]
    const shown = Object.values(signIn).flatMap((value) => [value, value.replace(/^\w+ /, '')])
    const spellings = SecretSpellings.of([...Object.values(secrets), ...shown, ...said])
    const ready = { secrets, signIn, added, spellings, base: baseOf(connection, added) }
    this.#ready.set(connection, ready)
    return ready
  }
}

/** What keeps a connection from being opened is the error of the step that wants it. */
function asStepError<R>(work: () => R): R {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error
    throw new StepError(error.message, { code: error.code, retryable: false })
  }
}

function baseOf({ kind, settings }: Connection, { base }: HttpAdditions): URL | undefined {
  const address = base ?? settings.base_url ?? settings.url ?? kindOf(kind)?.standardUrl
  return typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined
}

function destinationsOf({ kind, settings }: Connection): Destination[] {
  return kindOf(kind)?.destinations(settings) ?? []
}

/** The address of the connection is reachable where somebody wrote it who may say so; any other is as for all. */
function trustedAt(connection: Connection, url: URL): Destination | null {
  if (!connection.isTrusted) return null
  const { host, port } = destinationOf(url.hostname, url.port, url.protocol)
  const isIt = (destination: Destination) => destination.host === host && destination.port === port
  return destinationsOf(connection).find(isIt) ?? null
}

/** A library may have written a key into headers of its own, and a redirect leads elsewhere. */
function withoutSecrets(
  headers: Readonly<Record<string, string>>,
  known: OpenedSecrets
): Readonly<Record<string, string>> {
  if (known.isEmpty) return headers
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => !known.isIn(value)))
}

/** Whoever says again what it was sent could have it carried to another host. */
function assertNoSecretIn(
  url: URL,
  { isOwn, known }: { readonly isOwn: (url: URL) => boolean; readonly known: OpenedSecrets }
): void {
  if (isOwn(url) || !known.isIn(url.href)) return
  throw new StepError(
    `A secret of the connection would have gone to ${url.host}, in the address that an answer led to. Nothing was sent there.`,
    { code: 'bad_redirect', retryable: false }
  )
}

function noneChosen(): StepError {
  return new StepError('No connection is chosen. Choose one in the node’s field "connection".', {
    code: 'connection_missing',
    retryable: false
  })
}

function notFound(name: string, context: string, visible: readonly string[]): StepError {
  const known = visible.length === 0 ? 'It sees none.' : `It sees ${visible.slice(0, 20).join(', ')}.`
  return new StepError(
    `The context "${context}" sees no connection "${name}". ${known}${didYouMean(name, visible)} Create it there or above, or choose another.`,
    { code: 'connection_not_found', retryable: false }
  )
}

function wrongKind({ name, kind }: Connection, kinds: readonly string[]): StepError {
  return new StepError(
    `The connection "${name}" is of the kind ${kind}; this node takes ${kinds.join(', ')}. Choose another connection.`,
    { code: 'connection_wrong_kind', retryable: false }
  )
}
