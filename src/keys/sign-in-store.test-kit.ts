import type { EndedSession, SignInLink, SignInStore } from '../store/credentials.ts'

/** A SignInStore in memory; what it holds can be looked at as a thief of the store would. */
export class MemorySignInStore implements SignInStore {
  readonly links = new Map<string, SignInLink>()
  readonly ended = new Map<string, EndedSession>()
  #secret: string | undefined

  async secret(proposed: string): Promise<string> {
    this.#secret ??= proposed
    return this.#secret
  }

  async put(link: SignInLink, forgetBefore: number): Promise<void> {
    for (const { hash, expiresAt } of [...this.links.values()]) {
      if (expiresAt < forgetBefore) this.links.delete(hash)
    }
    this.links.set(link.hash, link)
  }

  async take(hash: string): Promise<SignInLink | undefined> {
    const link = this.links.get(hash)
    this.links.delete(hash)
    return link
  }

  async endSession(session: EndedSession, forgetBefore: number): Promise<void> {
    for (const { id, expiresAt } of [...this.ended.values()]) {
      if (expiresAt < forgetBefore) this.ended.delete(id)
    }
    this.ended.set(session.id, session)
  }

  async endedSessions(): Promise<string[]> {
    return [...this.ended.keys()]
  }
}
