import { membersIn, textOf } from '../values.ts'
import type { RedNode } from './red-node.ts'

/** Messages may carry headers; ours name those that they send. So those that nodes set by name are looked for. */

const OBJECT = /\bheaders\s*[=:]\s*\{([^{}]{0,2000})\}/g
const MEMBER = /\bheaders\s*(?:\.\s*([A-Za-z_]\w*)|\[\s*["']([\w-]+)["']\s*\])\s*=(?!=)/g
const NAME = /(?:^|[,{\n])\s*["']?([A-Za-z][\w-]*)["']?\s*:/g
const MOST = 20

export function headersIn(nodes: readonly RedNode[]): string[] {
  const names = new Set<string>()
  for (const { type, raw } of nodes) {
    if (names.size >= MOST) break
    const texts =
      type === 'function'
        ? [textOf(raw.func)]
        : type === 'change'
          ? membersIn(raw.rules).flatMap(({ p, to, tot }) =>
              textOf(p).startsWith('headers')
                ? [`${textOf(p)} =`, tot === 'json' || tot === 'jsonata' ? `headers: ${textOf(to)}` : '']
                : []
            )
          : []
    for (const text of texts.map((each) => each.slice(0, 50_000))) collect(text, names)
  }
  return [...names].slice(0, MOST)
}

function collect(text: string, names: Set<string>): void {
  for (const [, inside] of text.matchAll(OBJECT))
    for (const [, name] of inside!.matchAll(NAME)) names.add(name!.toLowerCase())
  for (const [, dotted, quoted] of text.matchAll(MEMBER)) names.add((dotted ?? quoted)!.toLowerCase())
}
