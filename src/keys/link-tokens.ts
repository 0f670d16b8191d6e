import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { LinkName } from '../flows/graph/run-links.ts'
import type { SignInStore } from '../store/credentials.ts'

/** Where a link leads: to one node of one run. */
interface LinkTarget {
  readonly runId: string
  readonly node: string
}

const FORM = /^([\w-]{1,64})\.([\w-]{1,100})\.([\w-]{43})$/

/**
 * Tokens that let whoever holds one end one wait of one run, without a key. Callers know the ids of runs and nodes, so
 * these alone must not be enough. Nothing is stored for a token: it is known before the run has come to its wait, to
 * every process that shares the store.
 */
export class LinkTokens {
  readonly #secret: string

  constructor(secret: string) {
    this.#secret = secret
  }

  /** Signed with the secret of the sessions, each purpose under a label of its own. */
  static async open(store: Pick<SignInStore, 'secret'>): Promise<LinkTokens> {
    return new LinkTokens(await store.secret(randomBytes(32).toString('base64url')))
  }

  /** `<id of the run>.<id of the node>.<HMAC-SHA-256>`. */
  write(name: LinkName, target: LinkTarget): string {
    return `${target.runId}.${target.node}.${this.#sign(name, target)}`
  }

  /** Where the token leads; undefined where `write` has not made it for this purpose. */
  read(name: LinkName, token: string): LinkTarget | undefined {
    const [, runId, node, signature] = FORM.exec(token) ?? []
    if (runId === undefined || node === undefined || signature === undefined) return undefined
    const target = { runId, node }
    const expected = Buffer.from(this.#sign(name, target))
    return timingSafeEqual(expected, Buffer.from(signature)) ? target : undefined
  }

  #sign(name: LinkName, { runId, node }: LinkTarget): string {
    return createHmac('sha256', this.#secret).update(`link ${name} ${runId} ${node}`).digest('base64url')
  }
}
