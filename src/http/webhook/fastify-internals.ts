/**
 * What Fastify keeps for itself under a symbol that has no public name; undefined should it keep it elsewhere one day.
 * Whoever asks must then be on the safe side, and have a test that fails.
 */
export function internalKey(owner: object, name: string): symbol | undefined {
  return Object.getOwnPropertySymbols(owner).find(({ description }) => description === name)
}

export function internalOf<T>(owner: object, name: string): T | undefined {
  const key = internalKey(owner, name)
  return key === undefined ? undefined : (owner as Record<symbol, T>)[key]
}
