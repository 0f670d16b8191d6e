import { NotAnExpression, type Token, tokensOf } from '../expressions/tokens.ts'

/** Whether code gives one item, several, or as many as it gets. */
type Given = 'one' | 'many' | 'same'

/** Told by what stands behind each `return` of the code itself, and not of functions in it. */
export function givesOf(source: string): Given {
  const tokens = readTokens(source)
  if (tokens === undefined) return 'many'
  const given = returnsIn(tokens).map((at) => givenAt(tokens, at))
  if (given.length === 0) return 'one'
  if (given.includes('many')) return 'many'
  return given.includes('same') ? 'same' : 'one'
}

function readTokens(source: string): readonly Token[] | undefined {
  try {
    return tokensOf(source)
  } catch (error) {
    if (error instanceof NotAnExpression) return undefined
    throw error
  }
}

/** The places behind `return`, where no function is open. */
function returnsIn(tokens: readonly Token[]): number[] {
  const places: number[] = []
  const braces: boolean[] = []
  let isFunction = false
  let functions = 0
  for (let at = 0; at < tokens.length; at++) {
    const { kind, text } = tokens[at]!
    if (kind === 'name' && text === 'function') isFunction = true
    if (kind === 'name' && text === 'return' && functions === 0) places.push(at + 1)
    if (kind !== 'sign') continue
    if (text === '{') {
      const opens = isFunction || tokens[at - 1]?.text === '=>'
      if (opens) functions++
      braces.push(opens)
      isFunction = false
    } else if (text === '}' && braces.pop() === true) functions--
  }
  return places
}

/** The input as it is, or a part of it. */
const INPUT = /^(?:items|\$input\.all\(\))$/

function givenAt(tokens: readonly Token[], at: number): Given {
  const [first] = tokens.slice(at)
  if (first?.kind === 'sign' && first.text === '{') return 'one'
  if (first?.kind === 'sign' && first.text === '[') return listAt(tokens, at)
  let text = ''
  for (const token of tokens.slice(at, at + 6)) {
    if (token.kind === 'end' || token.text === ';' || token.text === '}') break
    text += token.text
  }
  if (text === '' || text === 'null' || text === 'undefined') return 'one'
  if (text === 'item' || text === '$json' || /^\$input\.(?:first\(\)|last\(\)|item$)/.test(text)) return 'one'
  return INPUT.test(text) ? 'same' : 'many'
}

/** A list that is written out has as many items as commas say; what is done with it may give others. */
function listAt(tokens: readonly Token[], from: number): Given {
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    const { kind, text } = tokens[at]!
    if (kind !== 'sign') continue
    if ('([{'.includes(text)) depth++
    else if (')]}'.includes(text) && --depth === 0) return tokens[at + 1]?.text === '.' ? 'many' : 'one'
    const isLast = tokens[at + 1]?.text === ']'
    if (depth === 1 && (text === '...' || (text === ',' && !isLast))) return 'many'
  }
  return 'many'
}
