import assert from 'node:assert/strict'

export function nestedLists(depth: number, inner: string): string {
  return '['.repeat(depth) + inner + ']'.repeat(depth)
}

export function accepts(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text)
    return true
  } catch (error) {
    assert.ok(error instanceof SyntaxError)
    return false
  }
}
