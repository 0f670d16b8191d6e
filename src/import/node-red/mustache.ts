import type { Writer } from './writer.ts'

/** A piece of a Mustache template. */
type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly name: string; readonly isRaw: boolean }
  | {
      readonly kind: 'section'
      readonly name: string
      readonly isInverted: boolean
      readonly inside: Piece[]
    }

/** In a template; nobody nests deeper or writes more. */
const DEEPEST = 20
const MOST = 2_000
const TAG = /\{\{(?:\{([^{}]*)\}|([#^/&!>=]?)([^{}]*))\}\}/g

/** Code that writes the template, of a message and of what is kept; undefined where it cannot be read. */
export function mustacheCode(template: string, write: Writer): string | undefined {
  const pieces = piecesOf(template)
  return pieces && codeOf(pieces, 'stack', write)
}

/** Whether anything in a text is written by Mustache. */
export function isMustache(text: string): boolean {
  return text.includes('{{')
}

function piecesOf(template: string): Piece[] | undefined {
  const reading = new Reading()
  let from = 0
  let count = 0
  for (const found of template.matchAll(TAG)) {
    const [whole, raw, sign = '', rest = ''] = found
    reading.text(template.slice(from, found.index))
    from = found.index + whole.length
    if (++count > MOST || !reading.tag(sign, (raw ?? rest).trim(), raw !== undefined)) return undefined
  }
  reading.text(template.slice(from))
  return reading.done()
}

/** Sections hold what stands between their beginning and their end. */
class Reading {
  readonly #all: Piece[] = []
  readonly #open: { readonly name: string; readonly before: Piece[] }[] = []
  #inside = this.#all

  text(text: string): void {
    if (text !== '') this.#inside.push({ kind: 'text', text })
  }

  /** Whether it can be read. */
  tag(sign: string, name: string, isRaw: boolean): boolean {
    if (sign === '#' || sign === '^') return this.#begin(name, sign === '^')
    if (sign === '/') return this.#end(name)
    if (sign === '>' || sign === '=') return false
    if (sign !== '!') this.#inside.push({ kind: 'value', name, isRaw: isRaw || sign === '&' })
    return true
  }

  done(): Piece[] | undefined {
    return this.#open.length > 0 ? undefined : this.#all
  }

  #begin(name: string, isInverted: boolean): boolean {
    const inside: Piece[] = []
    this.#inside.push({ kind: 'section', name, isInverted, inside })
    this.#open.push({ name, before: this.#inside })
    this.#inside = inside
    return this.#open.length <= DEEPEST
  }

  #end(name: string): boolean {
    const last = this.#open.pop()
    this.#inside = last?.before ?? this.#inside
    return last?.name === name
  }
}

function codeOf(pieces: readonly Piece[], stack: string, write: Writer): string {
  const texts = pieces.map((piece) => {
    if (piece.kind === 'text') return JSON.stringify(piece.text)
    const value = lookUp(piece.name, stack, write)
    if (piece.kind === 'value') return `${piece.isRaw ? '$print' : '$escape'}(${value})`
    const inner = codeOf(piece.inside, 'inner', write)
    return piece.isInverted
      ? `$unless(${value}, () => ((inner) => ${inner})(${stack}))`
      : `$each(${value}, ${stack}, (inner) => ${inner})`
  })
  return texts.length === 0 ? '""' : texts.join(' + ')
}

function lookUp(name: string, stack: string, write: Writer): string {
  const context = /^(flow|global)(?:\[[^\]]*\])?\.(.+)$/.exec(name)
  if (context !== null) return write.kept(context[1] as 'flow' | 'global', context[2]!)
  if (name.startsWith('env.')) return write.env(name.slice(4))
  return name === '.' ? `${stack}[0]` : `$find(${stack}, ${JSON.stringify(name.split('.'))})`
}

/** What the code of templates calls. */
export const MUSTACHE = `const $print = (value) => (value === undefined || value === null ? '' : String(value))
const $escape = (value) => $print(value).replace(/[&<>"'\`=/]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;', '\`': '&#x60;', '=': '&#x3D;', '/': '&#x2F;' })[sign])
const $find = (stack, [first, ...rest]) => {
  const holds = stack.find((each) => each !== null && each !== undefined && Object.hasOwn(Object(each), first))
  return rest.reduce((value, key) => (value === null || value === undefined || !Object.hasOwn(Object(value), key) ? undefined : value[key]), holds?.[first])
}
const $empty = (value) => !value || (Array.isArray(value) && value.length === 0)
const $unless = (value, print) => ($empty(value) ? print() : '')
const $each = (value, stack, print) => ($empty(value) ? '' : (Array.isArray(value) ? value : [value]).map((each) => print(typeof each === 'boolean' ? stack : [each, ...stack])).join(''))`
