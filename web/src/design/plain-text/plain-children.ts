import { isolated, isRightToLeft, plainText } from '../../../../src/flows/template/plain-words.ts'

/**
 * What the page shows as text, as it may be shown: without signs that turn text round or cannot be seen, and, where text
 * of others stands between words of ours, without moving them. The page itself is written as if nobody did that.
 */
export function plainChildren(children: unknown): unknown {
  if (typeof children === 'string') return plainText(children)
  // As JSX gives it: `by {name}.` is three texts.
  return Array.isArray(children) ? plainParts(children) : children
}

function plainParts(children: readonly unknown[]): readonly unknown[] {
  const show = children.some((child) => isText(child) && isRightToLeft(child)) ? apart : plainText
  const shown = children.map((child) => (isText(child) ? show(child) : child))
  // The very same array: React has looked at it already.
  return shown.every((child, at) => child === children[at]) ? children : shown
}

function apart(text: string): string {
  return isolated(plainText(text))
}

function isText(child: unknown): child is string {
  return typeof child === 'string'
}
