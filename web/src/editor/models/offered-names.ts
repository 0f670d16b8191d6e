/** More than anybody reads through: who looks for one types a part of its name. */
const MOST_SHOWN = 200

/** Names to choose from: all of them until something is typed, then those that hold each of its words. */
export function offeredNames(names: readonly string[], typed: string | undefined): readonly string[] {
  const words = (typed ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (name: string) => words.every((word) => name.toLowerCase().includes(word))
  return names.filter(fits).slice(0, MOST_SHOWN)
}

/** Where the keyboard goes in a list of so many: past an end it comes to the other one. */
export function nextPlace(place: number | undefined, by: 1 | -1, count: number): number | undefined {
  if (count === 0) return undefined
  if (place === undefined) return by === 1 ? 0 : count - 1
  return (place + by + count) % count
}
