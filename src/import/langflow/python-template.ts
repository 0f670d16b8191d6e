import { literalText, pathText } from '../expressions/template-text.ts'

/** A template of Langflow is a format string of Python. */
interface PythonTemplate {
  readonly template: string
  /** The names that stand at the beginning of placeholders. */
  readonly names: readonly string[]
  /** Whether it asks for Python's way of writing values down (`!r`, `!a`), or for widths that are values: no template has that. */
  readonly isCode: boolean
  /** Whether values are printed, so that it matters how. */
  readonly reads: boolean
}

const FIELD = /^([^{}!:]*)(?:!([rsa]))?(?::((?:[^{}]|\{[^{}]*\})*))?$/

/** What is missing prints nothing there, so every placeholder allows it. `values`: what stands for names that no wire leads to. */
export function fromPython(source: string, values: ReadonlyMap<string, string> = new Map()): PythonTemplate {
  let template = ''
  const names = new Set<string>()
  let isCode = false
  let reads = false
  for (const piece of piecesOf(source)) {
    if (piece.kind === 'text') {
      template += literalText(piece.text)
      continue
    }
    const [, field, conversion = '', spec = ''] = FIELD.exec(piece.text) ?? []
    const path = field === undefined ? undefined : pathOf(field)
    if (path === undefined) {
      template += literalText(`{${piece.text}}`)
      continue
    }
    reads = true
    const fixed = path.length === 1 ? values.get(path[0]!) : undefined
    if (fixed !== undefined) {
      template += literalText(fixed)
      continue
    }
    if (conversion === 'r' || conversion === 'a' || spec.includes('{')) isCode = true
    names.add(path[0]!)
    template += `{${pathText(path)}${spec === '' || spec.includes('{') ? '' : `:${spec}`}?}`
  }
  return { template, names: [...names], isCode, reads }
}

type Piece = { readonly kind: 'text' | 'field'; readonly text: string }

/** `{{` and `}}` are braces; a brace that is neither is one too, where Python would fail. */
export function* piecesOf(source: string): Generator<Piece> {
  const ends = endsOfFields(source)
  const brace = /[{}]/g
  let from = 0
  let text = ''
  while (from < source.length) {
    const sign = source[from]!
    if ((sign === '{' || sign === '}') && source[from + 1] === sign) {
      text += sign
      from += 2
      continue
    }
    const end = sign === '{' ? ends.get(from) : undefined
    if (end === undefined) {
      brace.lastIndex = from + 1
      const next = brace.exec(source)?.index ?? source.length
      text += source.slice(from, next)
      from = next
      continue
    }
    if (text !== '') yield { kind: 'text', text }
    text = ''
    yield { kind: 'field', text: source.slice(from + 1, end) }
    from = end + 1
  }
  if (text !== '') yield { kind: 'text', text }
}

/** A format may hold placeholders of its own, one level deep. Nobody writes a longer one. */
const LONGEST_FIELD = 2_000

/** Where the field of each opening brace ends, read once from end to end: braces that nothing closes are looked beyond but once. */
function endsOfFields(source: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  const open: number[] = []
  for (const { 0: brace, index } of source.matchAll(/[{}]/g)) {
    if (brace === '{') {
      open.push(index)
      continue
    }
    const begin = open.pop()
    if (begin !== undefined && index - begin < LONGEST_FIELD) ends.set(begin, index)
  }
  return ends
}

/** `user[items][0]` and `user.name`. Spaces count in Python. */
export function pathOf(field: string): string[] | undefined {
  const [root, rest] = splitRoot(field)
  const path = [root]
  for (const found of rest.matchAll(/\[([^\]]*)\]|\.([^.[\]]*)|[\s\S]/g)) {
    const key = found[1] ?? found[2]
    if (key === undefined || key === '') return undefined
    path.push(key)
  }
  return root === '' || pathText(path) === undefined ? undefined : path
}

function splitRoot(field: string): [string, string] {
  const at = field.search(/[.[]/)
  return at < 0 ? [field, ''] : [field.slice(0, at), field.slice(at)]
}

/** Mustache as Langflow has it: `{{name}}`, and single braces are text. */
export function fromMustache(source: string, values: ReadonlyMap<string, string>): PythonTemplate {
  const names = new Set<string>()
  const template = source
    .split(/(\{\{[^{}]*\}\})/)
    .map((piece) => {
      const name = /^\{\{\s*([^{}]*?)\s*\}\}$/.exec(piece)?.[1]
      if (name === undefined || pathText([name]) === undefined) return literalText(piece)
      const fixed = values.get(name)
      if (fixed !== undefined) return literalText(fixed)
      names.add(name)
      return `{${pathText([name])}?}`
    })
    .join('')
  return { template, names: [...names], isCode: false, reads: names.size > 0 }
}
