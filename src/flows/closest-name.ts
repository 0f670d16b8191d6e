/** The known name that somebody most likely meant, or undefined when none is near. */
export function closestName(meant: string, known: Iterable<string>): string | undefined {
  if (meant.length > LONGEST_NAME) return undefined
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(meant.length / 3)) + 1
  for (const name of known) {
    if (Math.abs(name.length - meant.length) >= bestDistance) continue
    const distance = editDistance(meant.toLowerCase(), name.toLowerCase())
    if (distance < bestDistance) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

/** ` Did you mean "x"?`, ready to be appended to a message, or nothing. */
export function didYouMean(meant: string, known: Iterable<string>): string {
  const name = closestName(meant, known)
  return name === undefined ? '' : ` Did you mean "${name}"?`
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}

/** Nobody means a longer one, and to compare two takes the product of their lengths. */
const LONGEST_NAME = 100
