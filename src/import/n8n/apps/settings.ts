import { literalText } from '../../expressions/template-text.ts'
import { at, isMembers, type Members, membersIn, textOf } from '../../values.ts'
import { chosen, type N8nNode } from '../n8n-node.ts'
import { isWritten } from '../n8n-text.ts'
import type { Writer } from '../writer.ts'

/** What is chosen from a list may have been pasted as an address that holds it. */
const IN_ADDRESS: readonly [name: RegExp, id: RegExp][] = [
  [/^(?:base|application)/, /(app[A-Za-z0-9]{10,})/],
  [/^table/, /(tbl[A-Za-z0-9]{10,})/],
  [/^(?:page|database|block)/i, /([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[?#]|$)/],
  [/./, /\/(?:d|folders|spreadsheets\/d)\/([\w-]{10,})/]
]

/** The settings of a node of a service. */
export class Settings {
  readonly node: N8nNode
  readonly write: Writer

  constructor(node: N8nNode, write: Writer) {
    this.node = node
    this.write = write
  }

  /** Of `a.b|c` the first that is there, as the file has it. */
  raw(names: string): unknown {
    for (const name of names.split('|')) {
      const path = name.split('.')
      const value = pasted(path.at(-1)!, at(this.node.params, ...path))
      if (value !== undefined && value !== null && value !== '') return value
    }
    return undefined
  }

  /** As a template. */
  template(names: string): string {
    return this.write.template(this.raw(names))
  }

  /** As an expression of JavaScript. */
  js(names: string): string {
    return this.write.js(this.raw(names) ?? null)
  }

  rows(...path: readonly string[]): Members[] {
    return membersIn(at(this.node.params, ...path))
  }

  /** Names and values of rows, as templates. */
  table(rows: readonly Members[], name: string, value: string): Record<string, unknown> {
    if (rows.some((row) => textOf(chosen(row[name])) === '' && textOf(chosen(row[value])) !== ''))
      this.write.tell('Values without the name of a field were left out.')
    return Object.fromEntries(
      rows
        .filter((row) => textOf(chosen(row[name])) !== '')
        .map((row) => [textOf(chosen(row[name])).replace(/^=/, ''), this.filled(row[value])])
    )
  }

  /** What a template field takes: numbers and the like as they are, texts as templates. */
  filled(value: unknown): unknown {
    const plain = chosen(value)
    return typeof plain === 'string' ? this.write.template(plain) : this.write.tree(plain)
  }

  /** A description in which `@` stands for settings. Members that nobody set are left out. */
  given(described: unknown): unknown {
    if (typeof described === 'string')
      return described.startsWith('@') ? this.#setting(described.slice(1)) : literalText(described)
    if (Array.isArray(described)) return described.map((each) => this.given(each)).filter(isThere)
    if (!isMembers(described)) return described
    const members = Object.entries(described).map(([name, inner]) => [name, this.given(inner)] as const)
    return Object.fromEntries(members.filter(([, inner]) => isThere(inner)))
  }

  #setting(names: string): unknown {
    const value = this.raw(names)
    return value === undefined ? undefined : this.filled(value)
  }

  /** An address in which `{@id}` is a setting. */
  address(described: string): string {
    return described
      .split(/(\{@[^{}]*\})/)
      .map((piece) => {
        const names = /^\{@([^{}]*)\}$/.exec(piece)?.[1]
        return names === undefined ? literalText(piece) : this.#inAddress(names)
      })
      .join('')
  }

  #inAddress(names: string): string {
    const value = this.raw(names)
    return isWritten(value) ? this.write.template(value) : literalText(encodeURIComponent(textOf(value)))
  }
}

function pasted(name: string, value: unknown): unknown {
  const plain = chosen(value)
  if (!isMembers(value) || value.mode !== 'url' || typeof plain !== 'string' || isWritten(plain)) return plain
  const [, id] = IN_ADDRESS.find(([names]) => names.test(name)) ?? []
  return id?.exec(plain)?.[1] ?? plain
}

function isThere(value: unknown): boolean {
  return value !== undefined && !(isMembers(value) && Object.keys(value).length === 0)
}
