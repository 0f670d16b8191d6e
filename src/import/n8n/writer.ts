import { connectionName } from '../connection-names.ts'
import { codeFrom, type Workflow } from '../expressions/code-text.ts'
import { isExpression, type Meaning, meaningOf } from '../expressions/meaning.ts'
import { literalText, placeholder } from '../expressions/template-text.ts'
import { NotAnExpression } from '../expressions/tokens.ts'
import type { NeededConnection } from '../imported-flow.ts'
import { codeReference, OWN_ID, referencePlaceholder } from '../references.ts'
import { isMembers, membersOf, textOf } from '../values.ts'
import type { N8nNode } from './n8n-node.ts'
import { isWritten, piecesOf } from './n8n-text.ts'

const ENCODED = /^encodeURI(?:Component)?\(([\s\S]{0,2000})\)$/

/** How another node is read from this one. */
export interface ReadNode {
  /** Of its output. */
  readonly key: string
  /** It may be a list, of which one item belongs to the item that is worked on: then no template can name it. */
  readonly isList: boolean
  /** Of the output that says which; the place of the item in the list that is worked on, where this is left out. */
  readonly indexKey?: string
}

/** Undefined where it cannot be read. */
type KeyOf = (name: string) => ReadNode | undefined

/** What models fill in, where the node is a tool. */
type Asked = Map<string, { readonly type: string; readonly description: string }>

/** Writes the settings of one node of n8n as ours. */
export class Writer {
  readonly node: N8nNode
  readonly #keyOf: KeyOf
  readonly #workflow: Workflow
  /** By what it is, the place of each value that code computes. */
  readonly #computed = new Map<string, number>()
  readonly #notes = new Set<string>()
  readonly #connections = new Map<string, NeededConnection>()
  readonly asked: Asked = new Map()

  constructor(node: N8nNode, keyOf: KeyOf, workflow: Workflow = {}) {
    this.node = node
    this.#workflow = workflow
    this.#keyOf = keyOf
  }

  /** Of the clock of the workflow; undefined where the file does not say, and the whole of n8n has one. */
  get timezone(): string | undefined {
    return this.#workflow.timezone
  }

  get note(): string {
    return [...this.#notes].join(' ')
  }

  get connections(): NeededConnection[] {
    return [...this.#connections.values()]
  }

  tell(note: string): void {
    if (note !== '') this.#notes.add(note)
  }

  /** A value as a template. */
  template(value: unknown): string {
    if (value === undefined || value === null) return ''
    if (typeof value === 'object') return literalText(JSON.stringify(value))
    if (!isWritten(value)) return literalText(textOf(value))
    return piecesOf(value)
      .map(({ kind, text }) => (kind === 'text' ? literalText(text) : this.#placeholder(text)))
      .join('')
  }

  /** An address: n8n puts values into it as they are, but for those that are encoded there, as all are here. */
  address(value: unknown): string {
    if (!isWritten(value)) return this.template(value)
    return piecesOf(value)
      .map(({ kind, text }) => {
        if (kind === 'text') return literalText(text)
        const inner = ENCODED.exec(text)?.[1]
        const isEncoded = inner !== undefined && isExpression(inner)
        const written = this.#placeholder(isEncoded ? inner : text)
        return isEncoded ? written : asItIs(written)
      })
      .join('')
  }

  /** A value whose texts are templates. */
  tree(value: unknown): unknown {
    if (typeof value === 'string') return this.template(value)
    if (Array.isArray(value)) return value.map((item) => this.tree(item))
    if (!isMembers(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, this.tree(inner)]))
  }

  /** A value as an expression of JavaScript. */
  js(value: unknown): string {
    if (!isWritten(value)) return JSON.stringify(value ?? null)
    const pieces = piecesOf(value)
    const [first] = pieces
    if (first === undefined) return '""'
    if (pieces.length === 1 && first.kind === 'expression') return this.#expression(first.text)
    return pieces
      .map(({ kind, text }) => (kind === 'text' ? JSON.stringify(text) : `$text(${this.#expression(text)})`))
      .join(' + ')
  }

  /** Code of ours that does what this body of a function does in n8n. */
  code(body: string): string {
    const { code, unknown, missing, isOfDates, isUnread } = codeFrom(
      body.includes('$text(') ? `${TEXT}\n${body}` : body,
      (name) => {
        const read = this.#keyOf(name)
        if (read === undefined) return undefined
        const { key, indexKey } = read
        return {
          value: codeReference(key),
          at: indexKey === undefined ? '$itemIndex' : codeReference(indexKey)
        }
      },
      this.#workflow
    )
    if (unknown.length > 0)
      this.tell(`It uses ${unknown.join(', ')} of n8n, which is not there: change that by hand.`)
    if (missing.length > 0)
      this.tell(`It reads ${missing.map((name) => `"${name}"`).join(', ')}, which is not in the flow.`)
    if (isUnread)
      this.tell('It is too long to be read here, or no JavaScript: what it names of n8n is left as it is.')
    if (isOfDates) this.#tellClock()
    return code
  }

  #tellClock(): void {
    const { timezone = 'n8n' } = this
    if (!/^(?:Etc\/)?(?:UTC|GMT|UCT|Zulu)$/i.test(timezone))
      this.tell(`Dates are computed and written in UTC, and not by the clock of ${timezone}.`)
  }

  /** The part that computes what no template can say; undefined where all could. */
  get values(): { type: string; title: string; fields: { code: string } } | undefined {
    if (this.#computed.size === 0) return undefined
    const lines = [...this.#computed].map(([source, at]) => `  v${at}: ${source}`)
    return {
      type: 'code',
      title: `Values of ${this.node.name}`,
      fields: { code: this.code(`return {\n${lines.join(',\n')}\n}`) }
    }
  }

  /** The name of the connection that stands for the credentials of the node. */
  connection(kind: string, preset?: string, other?: string): string {
    return this.#connectionOf(this.node, { kind, preset, other })
  }

  /** The same of a node that lends this one something. */
  lentConnection(node: N8nNode, kind: string, other: string): string {
    return this.#connectionOf(node, { kind, preset: undefined, other })
  }

  #connectionOf(
    { credentials }: N8nNode,
    { kind, preset, other }: { kind: string; preset: string | undefined; other: string | undefined }
  ): string {
    const [credential] = Object.entries(credentials)
    const named = credential === undefined ? '' : textOf(membersOf(credential[1]).name) || credential[0]
    const name = connectionName(named, other ?? preset ?? kind)
    this.#connections.set(name, { name, kind, ...(preset !== undefined && { preset }) })
    return name
  }

  #expression(source: string): string {
    if (source === '') return '""'
    const asked = this.#meaning(source)
    if (asked?.kind === 'asked') {
      this.asked.set(asked.name, { type: typeAsked(asked.type), description: asked.description })
      return `data[${JSON.stringify(asked.name)}]`
    }
    if (isExpression(source)) return `(${source.replace(/;\s*$/, '')})`
    this.tell(`An expression could not be read: ${source.slice(0, 200)}`)
    return `undefined /* ${source.replaceAll('*/', '* /').slice(0, 1000)} */`
  }

  #meaning(source: string): Meaning | undefined {
    try {
      return meaningOf(source)
    } catch (error) {
      if (error instanceof NotAnExpression) return undefined
      throw error
    }
  }

  #placeholder(source: string): string {
    if (source === '') return ''
    const meaning = this.#meaning(source)
    const written = meaning && this.#written(meaning)
    if (written !== undefined) return written
    return this.computed(this.#expression(source))
  }

  /** A placeholder for what code computes. */
  computed(js: string): string {
    const at = this.#computed.get(js) ?? this.#computed.size + 1
    this.#computed.set(js, at)
    return `{$nodes.${OWN_ID}-values.result.v${at}?}`
  }

  #written(meaning: Meaning, fallback = ''): string | undefined {
    switch (meaning.kind) {
      case 'literal':
        return literalText(meaning.text)
      case 'own':
        return meaning.path.length === 0 ? '{$data?}' : placeholder(meaning.path, fallback)
      case 'node':
        return this.#ofNode(meaning, fallback)
      case 'now':
        this.#tellClock()
        return meaning.format === '' ? '{$now}' : placeholderOfTime(meaning.format)
      case 'run':
        return `{$${meaning.name}}`
      case 'workflow':
        return literalText(this.#workflow[meaning.what] ?? '')
      case 'variable':
        this.tell(`Give the context a variable "${meaning.name}".`)
        return `{$${meaning.name}?}`
      case 'asked':
        this.asked.set(meaning.name, { type: typeAsked(meaning.type), description: meaning.description })
        return placeholder([meaning.name])
      case 'fallback':
        return this.#written(meaning.of, meaning.text)
    }
  }

  #ofNode({ node, path }: Meaning & { kind: 'node' }, fallback: string): string | undefined {
    const read = this.#keyOf(node)
    if (read?.isList === true) return undefined
    if (read !== undefined) return referencePlaceholder(read.key, path, fallback)
    this.tell(`It reads "${node}", which is not in the flow or does not lead to it.`)
    return literalText(fallback)
  }
}

/** A placeholder whose value goes into an address unencoded. */
function asItIs(written: string): string {
  return written.replace(/^\{((?:\u{e000}[^\u{e001}]*\u{e001})?[^{}:?]*)\?([^{}]*)\}$/u, '{$1:raw?$2}')
}

const TEXT = `const $text = (value) => (value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value))`

function typeAsked(type: string): string {
  const known: Readonly<Record<string, string>> = { number: 'number', boolean: 'boolean', json: 'object' }
  return known[type] ?? 'string'
}

/** Formats of n8n are Luxon's, as ours are, but for some letters. */
function placeholderOfTime(format: string): string | undefined {
  return /^[yMdHhmsSaEZ' :.,/_TW-]+$/.test(format.replace(/'[^']*'/g, '')) && !/[{}?]/.test(format)
    ? `{$now:${format}}`
    : undefined
}
