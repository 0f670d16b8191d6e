/** PostgreSQL's text cannot hold the character NUL, which senders can put into JSON: it becomes U+FFFD. */
export function storableText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
}

/** The same in all that a statement is given, also in lists: what is asked for may hold it as well, and then finds nothing. */
export function storableValues(values: readonly unknown[]): readonly unknown[] {
  return values.some(hasNul) ? values.map(storable) : values
}

function hasNul(value: unknown): boolean {
  return typeof value === 'string' ? value.includes('\0') : Array.isArray(value) && value.some(hasNul)
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  return Array.isArray(value) ? value.map(storable) : value
}
