import { BINARY, LITERALS, PREFIXES } from './operators.ts'
import { NotAnExpression, type Token, tokensOf } from './tokens.ts'

/** What an expression is, as far as it matters for another way to write it; all else is `other`. */
export type Expression =
  | { readonly kind: 'name'; readonly name: string; readonly from: number; readonly to: number }
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null | undefined }
  | { readonly kind: 'member'; readonly of: Expression; readonly key: string }
  | {
      readonly kind: 'call'
      readonly of: Expression
      readonly given: readonly Expression[]
      readonly to: number
    }
  | { readonly kind: 'binary'; readonly sign: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'other' }

const OTHER: Expression = { kind: 'other' }

/** Nobody writes deeper, and each level is a call of a function. */
const DEEPEST = 100
/** In tokens. */
const LONGEST_PARAMETERS = 200

/** Throws NotAnExpression where it is none, or where this reader does not know what it is. */
export function parseExpression(source: string): Expression {
  return new Reading(tokensOf(source)).whole()
}

class Reading {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  whole(): Expression {
    const read = this.#expression()
    this.#skip(';')
    if (this.#next.kind !== 'end') throw new NotAnExpression(`"${this.#next.text}" is not expected`)
    return read
  }

  get #next(): Token {
    return this.#tokens[this.#at]!
  }

  #is(text: string): boolean {
    return this.#next.text === text && (this.#next.kind === 'sign' || this.#next.kind === 'name')
  }

  #skip(text: string): boolean {
    if (!this.#is(text)) return false
    this.#at++
    return true
  }

  #take(text: string): Token {
    const token = this.#next
    if (!this.#skip(text)) throw new NotAnExpression(`"${text}" is expected and "${token.text}" is there`)
    return token
  }

  #expression(): Expression {
    if (++this.#depth > DEEPEST) throw new NotAnExpression('it is nested too deep')
    const read = this.#isArrow() ? this.#arrow() : this.#conditional()
    this.#depth--
    return read
  }

  #conditional(): Expression {
    const read = this.#binary(0)
    if (this.#skip('?')) {
      this.#expression()
      this.#take(':')
      this.#expression()
      return OTHER
    }
    if (/^(?:[-+*/%&|^]|\*\*|<<|>>>?|&&|\|\||\?\?)?=$/.test(this.#next.text) && this.#next.kind === 'sign') {
      this.#at++
      this.#expression()
      return OTHER
    }
    return read
  }

  #binary(least: number): Expression {
    let left = this.#prefixed()
    for (;;) {
      const sign = this.#next
      const tight = sign.kind === 'sign' || sign.kind === 'name' ? own(BINARY, sign.text) : undefined
      if (tight === undefined || tight <= least) return left
      this.#at++
      left = { kind: 'binary', sign: sign.text, left, right: this.#binary(tight) }
    }
  }

  #prefixed(): Expression {
    let count = 0
    while (PREFIXES.has(this.#next.text) && this.#next.kind !== 'text') {
      this.#at++
      count++
    }
    const read = this.#suffixed()
    return count === 0 ? read : OTHER
  }

  #suffixed(): Expression {
    let read = this.#primary()
    for (;;) {
      if (this.#skip('.')) read = member(read, this.#name())
      else if (this.#is('?.')) read = this.#optional(read)
      else if (this.#is('[')) read = this.#indexed(read)
      else if (this.#is('(')) read = this.#called(read)
      else if (this.#next.kind === 'template') {
        this.#at++
        read = OTHER
      } else if (this.#is('++') || this.#is('--')) {
        this.#at++
        read = OTHER
      } else return read
    }
  }

  #optional(of: Expression): Expression {
    this.#at++
    if (this.#is('[')) return this.#indexed(of)
    return this.#is('(') ? this.#called(of) : member(of, this.#name())
  }

  #name(): string {
    this.#skip('#')
    const token = this.#next
    if (token.kind !== 'name') throw new NotAnExpression(`a name is expected and "${token.text}" is there`)
    this.#at++
    return token.text
  }

  #indexed(of: Expression): Expression {
    this.#take('[')
    const key = this.#expression()
    this.#take(']')
    const isPlain = key.kind === 'literal' && (typeof key.value === 'string' || typeof key.value === 'number')
    return isPlain ? member(of, String(key.value)) : OTHER
  }

  #called(of: Expression): Expression {
    this.#take('(')
    const given = this.#list(')')
    const { to } = this.#tokens[this.#at - 1]!
    return { kind: 'call', of, given, to }
  }

  #list(end: string): Expression[] {
    const items: Expression[] = []
    while (!this.#skip(end)) {
      this.#skip('...')
      if (this.#is(',')) items.push(OTHER)
      else items.push(this.#expression())
      if (!this.#is(end)) this.#take(',')
    }
    return items
  }

  #primary(): Expression {
    const token = this.#next
    if (token.kind === 'end') throw new NotAnExpression('it ends too early')
    this.#at++
    if (token.kind === 'text') return { kind: 'literal', value: token.value ?? '' }
    if (token.kind === 'number') return { kind: 'literal', value: Number(token.text.replaceAll('_', '')) }
    if (token.kind === 'template' || token.kind === 'pattern') return OTHER
    if (token.kind === 'name') return this.#named(token)
    if (token.text === '(') return this.#parenthesis()
    if (token.text === '[') {
      this.#list(']')
      return OTHER
    }
    if (token.text === '{') return this.#object()
    throw new NotAnExpression(`"${token.text}" is not expected`)
  }

  #named({ text, from, to }: Token): Expression {
    if (text === 'function' || text === 'class' || text === 'async') return this.#function()
    if (text === 'new') {
      this.#suffixed()
      return OTHER
    }
    if (Object.hasOwn(LITERALS, text)) return { kind: 'literal', value: LITERALS[text] }
    return { kind: 'name', name: text, from, to }
  }

  #parenthesis(): Expression {
    const read = this.#expression()
    let isSequence = false
    while (this.#skip(',')) {
      this.#expression()
      isSequence = true
    }
    this.#take(')')
    return isSequence ? OTHER : read
  }

  #object(): Expression {
    while (!this.#skip('}')) {
      if (this.#skip('...')) this.#expression()
      else this.#property()
      if (!this.#is('}')) this.#take(',')
    }
    return OTHER
  }

  #property(): void {
    if (this.#skip('[')) {
      this.#expression()
      this.#take(']')
    } else this.#at++
    if (this.#skip(':')) this.#expression()
    else if (this.#is('(')) this.#function()
  }

  /** Its body is not looked at: what it reads is found by its words. */
  #function(): Expression {
    while (!this.#is('{') && !this.#is('=>') && this.#next.kind !== 'end') this.#at++
    if (this.#skip('=>')) this.#body()
    else this.#balanced()
    return OTHER
  }

  #isArrow(): boolean {
    if (this.#next.kind === 'name' && this.#tokens[this.#at + 1]?.text === '=>') return true
    if (!this.#is('(')) return false
    let depth = 0
    const last = Math.min(this.#tokens.length, this.#at + LONGEST_PARAMETERS)
    for (let at = this.#at; at < last; at++) {
      const { kind, text } = this.#tokens[at]!
      if (kind !== 'sign') continue
      if ('([{'.includes(text)) depth++
      else if (')]}'.includes(text) && --depth === 0) return this.#tokens[at + 1]?.text === '=>'
    }
    return false
  }

  #arrow(): Expression {
    while (!this.#skip('=>')) this.#at++
    this.#body()
    return OTHER
  }

  #body(): void {
    if (this.#is('{')) this.#balanced()
    else this.#expression()
  }

  #balanced(): void {
    let depth = 0
    do {
      const { kind, text } = this.#next
      if (kind === 'end') throw new NotAnExpression('a brace is not closed')
      if (kind === 'sign' && '([{'.includes(text)) depth++
      if (kind === 'sign' && ')]}'.includes(text)) depth--
      this.#at++
    } while (depth > 0)
  }
}

function member(of: Expression, key: string): Expression {
  return { kind: 'member', of, key }
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
