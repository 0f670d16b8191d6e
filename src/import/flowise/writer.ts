import { literalText } from '../expressions/template-text.ts'
import { keyOfOutput, OWN_ID, referencePlaceholder } from '../references.ts'
import { textOf } from '../values.ts'
import { type FlowiseNode, idsIn, plainText } from './flowise-node.ts'
import type { Graph } from './graph.ts'

const MOST_PLACEHOLDERS = 500

/** State is set of state that was set before, and again: each level may name several. */
const DEEPEST_STATE = 8
const MOST_STATE = 200_000
const TOO_LONG = 'What the state is set of, again and again, is only read a few times: the rest is left out.'

/** Who reads what another node has put into the state. */
interface Reader {
  readonly notes: Set<string>
  readonly depth: number
  readonly budget: Budget
}

/** How many placeholders a text may still hold, and how many signs of the state. */
interface Budget {
  left: number
  signs: number
}

/** Writes the texts of one node of Flowise as templates. */
export class Writer {
  readonly node: FlowiseNode
  readonly graph: Graph
  readonly #notes: Set<string>
  readonly #reader: Reader | undefined

  constructor(node: FlowiseNode, graph: Graph, reader?: Reader) {
    this.node = node
    this.graph = graph
    this.#reader = reader
    this.#notes = reader?.notes ?? new Set()
  }

  tell(note: string): void {
    if (note !== '') this.#notes.add(note)
  }

  get note(): string {
    return [...this.#notes].join(' ')
  }

  /** What the user said. */
  get question(): string {
    const { start } = this.graph
    return referencePlaceholder(keyOfOutput(start.key, 'question'), []) ?? ''
  }

  /** A text with `{{ … }}` as a template. */
  template(value: unknown): string {
    return this.#written(
      plainText(value),
      this.#reader?.budget ?? { left: MOST_PLACEHOLDERS, signs: MOST_STATE }
    )
  }

  #written(text: string, budget: Budget): string {
    let from = 0
    let written = ''
    for (const found of text.matchAll(/\{\{\s*([^{}]{1,300}?)\s*\}\}/g)) {
      if (--budget.left < 0) break
      written += literalText(text.slice(from, found.index)) + this.#read(found[1]!, budget)
      from = found.index + found[0].length
    }
    return written + literalText(text.slice(from))
  }

  /** A prompt of LangChain: `{name}` is a variable, of which `values` says what it is. */
  prompt(value: unknown, values: unknown): string {
    const given = valuesOf(values)
    const text = textOf(value)
    return text
      .split(/(\{\{|\}\}|\{[^{}\s]{1,100}\})/)
      .map((piece) => {
        if (piece === '{{' || piece === '}}') return piece
        const name = /^\{([^{}\s]+)\}$/.exec(piece)?.[1]
        return name === undefined ? literalText(piece) : this.#variable(name, given[name])
      })
      .join('')
  }

  #variable(name: string, value: unknown): string {
    const [id] = idsIn(value)
    if (id !== undefined) return this.#ofNode(id, []) ?? ''
    if (value !== undefined && textOf(value) !== '') return this.template(value)
    if (name === 'context' || name === 'summaries') return `{$nodes.${OWN_ID}-search.text?}`
    if (name === 'chat_history' || name === 'agent_scratchpad') return ''
    return this.question
  }

  #read(name: string, budget: Budget): string {
    const known = this.#known(name)
    if (known !== undefined) return known
    const [root = '', ...rest] = name.split('.')
    const path = rest.flatMap((step) => step.replace(/\[(-?\d+)\]/g, '.$1').split('.'))
    if (root === '$vars') return /^[A-Za-z_]\w*$/.test(path[0] ?? '') ? this.#named(path[0]!) : ''
    const said = root === '$flow' ? this.#said(path) : undefined
    if (said !== undefined) return said
    if (root === '$flow' && path[0] === 'state') return this.#state(path[1] ?? '', path.slice(2), budget)
    if (root === '$form') return this.#of(this.graph.start.key, 'form', path)
    if (root === '$iteration' && this.node.parent !== '') return this.#of(this.node.parent, 'item', path)
    if (root === 'output') return this.#output(path)
    return (
      this.#ofNode(root, path[0] === 'data' || path[0] === 'output' ? path.slice(1) : path) ??
      this.#left(`It read {{ ${name.slice(0, 100)} }}, which is not there.`)
    )
  }

  /** What stands for one thing in all flows. */
  #known(name: string): string | undefined {
    if (name === 'question' || name === '$flow.input') return this.question
    if (name === 'current_date_time') return '{$now}'
    if (name === '$flow.sessionId' || name === '$flow.chatId') return '{$run.session}'
    if (name === '$flow.chatflowId') return '{$flow.slug}'
    return name === 'chat_history'
      ? this.#left('The turns of the session are given by the field History.')
      : undefined
  }

  /** What agents have said, as agentflows of version 1 read it. */
  #said([root, second = '', third]: readonly string[]): string | undefined {
    if (root === 'state' && second === 'messages') {
      if (third === '0') return this.question
      return third === '-1' ? this.#last([]) : undefined
    }
    return root === 'output' ? this.#last(second === '' || second === 'content' ? [] : [second]) : undefined
  }

  /** What was said last before this node. */
  #last(path: readonly string[]): string | undefined {
    const last = this.graph.speakersBefore(this.node.id).at(-1)
    return last === undefined ? this.question : this.#ofNode(last.id, path)
  }

  #of(key: string, output: string, path: readonly string[]): string {
    return referencePlaceholder(keyOfOutput(key, output), path) ?? ''
  }

  #named(name: string): string {
    this.tell(`Give the context a variable "${name}".`)
    return `{$${name}?}`
  }

  #left(note: string): string {
    this.tell(note)
    return ''
  }

  /** What another node gave; undefined where it does not lead here. */
  #ofNode(id: string, path: readonly string[]): string | undefined {
    const key = this.graph.stepOf(id)
    if (key === undefined || !this.graph.leadsTo(key, this.node.id)) return undefined
    const isWhole = path.length === 0 || path[0] === 'instance' || path[0] === 'content'
    return referencePlaceholder(keyOfOutput(key, isWhole ? 'text' : 'data'), isWhole ? [] : path)
  }

  /** The state of a flow is what the last node before this one has set. */
  #state(key: string, path: readonly string[], budget: Budget): string {
    const set = this.graph.lastSet(key, this.node.id)
    if (set === undefined) {
      const first = this.graph.firstState(key)
      const named = [key, ...path].join('.').slice(0, 100)
      if (first === undefined) return this.#left(`It read "${named}" of the state, which is not kept here.`)
      budget.signs -= first.length
      return budget.signs < 0 ? this.#left(TOO_LONG) : literalText(first)
    }
    this.tell(`"${key}" of the state is read from the node that sets it.`)
    const depth = (this.#reader?.depth ?? 0) + 1
    budget.signs -= set.value.length
    if (depth > DEEPEST_STATE || budget.signs < 0) return this.#left(TOO_LONG)
    const setter = new Writer(set.node, this.graph, { notes: this.#notes, depth, budget })
    const value = plainText(set.value)
    const [, whole] = /^\{\{\s*([^{}\s]+)\s*\}\}$/.exec(value) ?? []
    return setter.#written(whole === undefined ? value : `{{ ${[whole, ...path].join('.')} }}`, budget)
  }

  /** What the node itself gives; of one that is read by another, what that one gave. */
  #output(path: readonly string[]): string {
    const isWhole = path.length === 0
    if (this.#reader !== undefined) return this.#of(this.node.id, isWhole ? 'text' : 'data', path)
    return isWhole ? `{$nodes.${OWN_ID}.text?}` : `{$nodes.${OWN_ID}.data.${path.join('.')}?}`
  }
}

/** An object, or the JSON of one. */
export function valuesOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  try {
    const read: unknown = JSON.parse(textOf(value))
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
