import type { Become, Part } from '../become.ts'
import { connectionName } from '../connection-names.ts'
import { literalText } from '../expressions/template-text.ts'
import type { NeededConnection } from '../imported-flow.ts'
import { OWN_ID } from '../references.ts'
import { textOf } from '../values.ts'
import { jsonCode, referenceOf } from './literal-code.ts'
import { pathCode, pathOf, withHelpers } from './property.ts'
import type { RedNode } from './red-node.ts'

export type Scope = 'flow' | 'global' | 'node'

/** What a node knows of where it stands. */
interface Around {
  /** The name of its tab, under which its values are kept. */
  readonly flow: string
  /** A variable that the file itself says; undefined where it comes from elsewhere. */
  readonly env: (name: string) => string | undefined
}

const MOST_KEPT = 40

/**
 * Writes one node of Node-RED as code that works on a message. What lies outside of the message is brought to it by nodes beside it: kept
 * values by Keep, variables by a Parser, and what JSONata computes by a Transform.
 */
export class Writer {
  readonly node: RedNode
  readonly #around: Around
  readonly #notes = new Set<string>()
  readonly #connections = new Map<string, NeededConnection>()
  /** By name of the part. */
  readonly #before = new Map<string, Part & { readonly gives: string }>()
  readonly #after = new Map<string, string>()
  readonly #names = new Map<string, string>()

  constructor(node: RedNode, around: Around) {
    this.node = node
    this.#around = around
  }

  tell(note: string): void {
    if (note !== '') this.#notes.add(note)
  }

  get note(): string {
    return [...this.#notes].join(' ')
  }

  /** Whether the code is to hand on what is kept. */
  get hasAfter(): boolean {
    return this.#after.size > 0
  }

  get connections(): NeededConnection[] {
    return [...this.#connections.values()]
  }

  connection(kind: string, name: string, other: string): string {
    const given = connectionName(name, other)
    this.#connections.set(given, { name: given, kind })
    return given
  }

  /** A value of a typed field, as code. */
  value(type: unknown, value: unknown): string {
    const text = textOf(value)
    switch (textOf(type)) {
      case 'num':
        return Number.isFinite(Number(text)) ? String(Number(text)) : 'NaN'
      case 'bool':
        return String(/^true$/i.test(text))
      case 'json':
        return jsonCode(text) ?? this.#unread(text, 'JSON')
      case 'bin':
        this.tell('Its bytes are a list of numbers here.')
        return jsonCode(text) ?? this.#unread(text, 'a list of bytes')
      case 'date':
        return text === 'iso' || text === 'object' ? 'new Date().toISOString()' : 'Date.now()'
      case 'msg':
        return this.get(text)
      case 'flow':
      case 'global':
        return this.kept(type as Scope, text)
      case 'env':
        return this.env(text)
      case 'jsonata':
        return this.jsonata(text)
      case 're':
        return `new RegExp(${JSON.stringify(text)}, 'g')`
      case 'none':
      case 'prev':
        return 'undefined'
      case 'null':
        return 'null'
      default:
        return JSON.stringify(text)
    }
  }

  #unread(text: string, what: string): string {
    this.tell(`This is not ${what}: ${text.slice(0, 100)}`)
    return 'undefined'
  }

  /** A property of the message. */
  get(property: string): string {
    const path = pathOf(property)
    if (path !== undefined) return `$get(msg, ${pathCode(path)})`
    if (property.trim() !== '') this.tell(`The path "${property.slice(0, 100)}" could not be read.`)
    return property.trim() === '' ? 'msg' : 'undefined'
  }

  set(property: string, value: string): string {
    const path = pathOf(property)
    return path === undefined ? '' : `$set(msg, ${pathCode(path)}, ${value})`
  }

  /** What is kept, as it was when the message came. */
  kept(scope: Scope, property: string): string {
    const path = pathOf(property.replace(/^#:\([^)]*\)::/, ''))
    if (path === undefined || typeof path[0] !== 'string') return 'undefined'
    const [root, ...rest] = path
    const variable = this.keptName(scope, root as string)
    if (variable === undefined) return 'undefined'
    return rest.length === 0 ? variable : `$get(${variable}, ${pathCode(rest)})`
  }

  /** The name in code of a value that is kept under a key. */
  keptName(scope: Scope, key: string): string | undefined {
    const full = this.#key(scope, key)
    const known = this.#names.get(full)
    if (known !== undefined) return `$kept.${known}`
    if (this.#names.size >= MOST_KEPT) return undefined
    const name = `kept${this.#names.size + 1}`
    this.#names.set(full, name)
    this.#before.set(name, {
      type: 'keep',
      title: `${scope}.${key}`.slice(0, 100),
      fields: { operation: 'Get', key: literalText(full), default: null },
      gives: 'data'
    })
    this.tell('What it keeps in a context is kept by Keep; two runs at once may overwrite each other.')
    return `$kept.${name}`
  }

  /** Keeps what the code puts into the variable. */
  keeps(scope: Scope, key: string): string | undefined {
    const variable = this.keptName(scope, key)
    if (variable === undefined) return undefined
    this.#after.set(variable.slice('$kept.'.length), this.#key(scope, key))
    return variable
  }

  #key(scope: Scope, key: string): string {
    const place = scope === 'flow' ? this.#around.flow : scope === 'node' ? this.node.id : ''
    return [scope, place, key]
      .filter((part) => part !== '')
      .join('/')
      .slice(0, 480)
  }

  env(name: string): string {
    const known = this.#around.env(name)
    if (known !== undefined) return JSON.stringify(known)
    if (!/^[A-Za-z_]\w*$/.test(name)) return '""'
    this.tell(`Give the context a variable "${name}".`)
    const part = `env-${name.toLowerCase().replaceAll('_', '-')}`.slice(0, 60)
    this.#before.set(part, {
      type: 'parser',
      title: name.slice(0, 100),
      fields: { template: `{$${name}?}` },
      gives: 'parsed_text'
    })
    return `(nodes["${OWN_ID}-${part}"]?.parsed_text ?? "")`
  }

  /** What JSONata makes of the message as it came. */
  jsonata(expression: string): string {
    const part = `value${this.#before.size + 1}`
    this.#before.set(part, {
      type: 'transform',
      title: expression.slice(0, 100) || 'Value',
      fields: { expression: this.expression(expression) },
      gives: 'data'
    })
    return `nodes["${OWN_ID}-${part}"]?.data`
  }

  /** JSONata as ours reads it: functions that Node-RED adds read what lies outside of the message. */
  expression(source: string): string {
    const written = source.replace(
      /\$(flowContext|globalContext|env)\(\s*(?:"([^"]*)"|'([^']*)')\s*\)/g,
      (whole, name: string, double?: string, single?: string) => {
        const key = double ?? single ?? ''
        if (name === 'env') {
          const known = this.#around.env(key)
          return known === undefined ? referenceOf(this.env(key)) : JSON.stringify(known)
        }
        const variable = this.keptName(name === 'flowContext' ? 'flow' : 'global', key)
        return variable === undefined ? whole : `$nodes."${OWN_ID}-${variable.slice('$kept.'.length)}".data`
      }
    )
    const unknown = /\$(?:moment|clone|flowContext|globalContext|env)\(/.exec(written)
    if (unknown !== null)
      this.tell(
        `Its JSONata calls ${unknown[0].slice(0, -1)} of Node-RED, which is not there: change that by hand.`
      )
    return written.trim() || '$'
  }

  /** Code that reads `msg`; what is kept is `$kept`. `body` returns what leaves by the first output, or by each. */
  code(body: string): string {
    const names = [...this.#names.values()]
    const reads = names.map((name) => `${name}: nodes["${OWN_ID}-${name}"]?.data ?? undefined`)
    const kept = names.length === 0 ? '' : `const $kept = { ${reads.join(', ')} }\n`
    return withHelpers(`${kept}${body}`)
  }

  /** The node whose code is given: it returns the message for its one output. */
  single(body: string): Become {
    if (this.#after.size === 0)
      return this.become(
        { main: { type: 'code', fields: { code: this.code(`const msg = data\n${body}`) } } },
        'main.result'
      )
    return this.outputs(`return { o0: (() => {\n${body}\n})() }`, 1)
  }

  /** The same of several outputs: the code returns an object with `o0`, `o1` … */
  outputs(body: string, count: number): Become {
    const after = [...this.#after]
    const kept = after.length === 0 ? '' : `, kept: $kept`
    const code = this.code(
      `const msg = data\nconst $out = (() => {\n${body}\n})()\nreturn { ...$out${kept} }`
    )
    return this.split(code, count)
  }

  /** Code that returns an object with `o0`, `o1` … and `kept`. */
  split(code: string, count: number): Become {
    const parts: Record<string, Part> = { main: { type: 'code', fields: { code } } }
    const links: [string, string][] = []
    for (let at = 0; at < count; at++) {
      parts[`out${at + 1}`] = {
        type: 'code',
        title: `${this.node.title}: output ${at + 1}`.slice(0, 200),
        fields: { code: `return data.o${at}` }
      }
      links.push(['main.result', `out${at + 1}.data`])
    }
    for (const [name, key] of this.#after) {
      parts[`keep-${name}`] = {
        type: 'code',
        title: `What is kept as ${key}`.slice(0, 200),
        fields: { code: `return data.kept.${name}` }
      }
      parts[`set-${name}`] = {
        type: 'keep',
        title: `Keep ${key}`.slice(0, 200),
        fields: { operation: 'Set', key: literalText(key) }
      }
      links.push(['main.result', `keep-${name}.data`], [`keep-${name}.result`, `set-${name}.data`])
    }
    const gives = (output: string) => (Number(output) < count ? `out${Number(output) + 1}.result` : undefined)
    return this.become(parts, gives, links)
  }

  /** With what stands beside the parts, and what is to be told. */
  become(
    parts: Readonly<Record<string, Part>>,
    gives: string | ((output: string) => string | undefined) | undefined,
    links: Become['links'] = [],
    { takes = 'main.data', feeds = [] }: { readonly takes?: string; readonly feeds?: readonly string[] } = {}
  ): Become {
    const before = [...this.#before]
    const kept = before.filter(([, { type }]) => type !== 'transform').map(([name]) => name)
    const beside = Object.fromEntries(
      before.map(([name, { type, title, fields }]) => [name, { type, title: title ?? name, fields }])
    )
    const brings = before.flatMap(([name, part]) => [
      [`${name}.${part.gives}`, takes] as const,
      // What JSONata reads of Keep has to be there before it.
      ...(part.type === 'transform'
        ? kept.map((each) => [`${each}.${this.#before.get(each)!.gives}`, `${name}.data`] as const)
        : [])
    ])
    return {
      verdict: this.note === '' ? 'exact' : 'adapted',
      note: this.note,
      parts: { ...parts, ...beside },
      feeds: [...feeds, ...before.map(([name]) => `${name}.data`)],
      links: [...brings, ...links],
      takes: () => takes,
      gives: typeof gives === 'function' ? gives : () => gives,
      connections: this.connections
    }
  }
}
