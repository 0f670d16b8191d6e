import type { KeyStore, MayGo, StoredKey } from '../store/credentials.ts'

/** A KeyStore in memory; what it holds can be looked at as a thief of the store would. */
export class MemoryKeyStore implements KeyStore {
  readonly keys = new Map<string, StoredKey>()
  /** How often uses were written down. */
  touches = 0

  async list(): Promise<StoredKey[]> {
    return [...this.keys.values()]
  }

  async put(key: StoredKey): Promise<void> {
    this.keys.set(key.id, key)
  }

  async remove(id: string, mayGo: MayGo = () => true): Promise<'removed' | 'refused' | 'unknown'> {
    const key = this.keys.get(id)
    if (key === undefined) return 'unknown'
    if (
      !mayGo(
        key,
        [...this.keys.values()].filter((other) => other !== key)
      )
    )
      return 'refused'
    this.keys.delete(id)
    return 'removed'
  }

  async touch(used: ReadonlyMap<string, number>): Promise<void> {
    this.touches++
    for (const [id, lastUsedAt] of used) {
      const key = this.keys.get(id)
      if (key !== undefined) this.keys.set(id, { ...key, lastUsedAt })
    }
  }
}
