/** Two letters that stand for a name: of its first and its last word, or its first two. */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const [first = '', last = ''] = words.length > 1 ? [words[0], words.at(-1)] : [...(words[0] ?? '')]
  return `${[...first][0] ?? '?'}${[...last][0] ?? ''}`.toUpperCase()
}
