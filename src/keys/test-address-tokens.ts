import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { SignInStore } from '../store/credentials.ts'

interface TestAddress {
  readonly flowId: string
  /** In milliseconds since 1970. */
  readonly expiresAt: number
}

const FORM = /^([\w-]{1,64})\.([0-9a-z]{1,11})\.([\w-]{43})$/

/** Tokens that let whoever holds one try the draft of a flow with a request, for some time. Nothing is stored for a token: every process knows it. */
export class TestAddressTokens {
  readonly #secret: string

  constructor(secret: string) {
    this.#secret = secret
  }

  /** Signed with the secret of the sessions, under a label of its own. */
  static async open(store: Pick<SignInStore, 'secret'>): Promise<TestAddressTokens> {
    return new TestAddressTokens(await store.secret(randomBytes(32).toString('base64url')))
  }

  /** `<id of the flow>.<end of its time>.<HMAC-SHA-256>`. */
  write({ flowId, expiresAt }: TestAddress): string {
    const end = expiresAt.toString(36)
    return `${flowId}.${end}.${this.#sign(flowId, end)}`
  }

  /** Undefined where `write` has not made it. Whether its time is over is for the caller to say. */
  read(token: string): TestAddress | undefined {
    const [, flowId, end, signature] = FORM.exec(token) ?? []
    if (flowId === undefined || end === undefined || signature === undefined) return undefined
    if (!timingSafeEqual(Buffer.from(this.#sign(flowId, end)), Buffer.from(signature))) return undefined
    return { flowId, expiresAt: Number.parseInt(end, 36) }
  }

  #sign(flowId: string, end: string): string {
    return createHmac('sha256', this.#secret).update(`test address ${flowId} ${end}`).digest('base64url')
  }
}
