/**
 * Reads the imports of a TypeScript file. Regular expressions are enough here, and no parser has to be
 * installed, because the text is masked first: nothing inside a comment, a string, a template or a regular
 * expression can look like code any more.
 */

export type Import = {
  specifier: string
  line: number
  /** Erased before the code runs: `import type`, `export type … from`, `typeof import(…)`. */
  typeOnly: boolean
  dynamic: boolean
}

export type SourceFile = {
  path: string
  lineCount: number
  /** The masked source. */
  code: string
  imports: Import[]
}

export function readSource(path: string, source: string): SourceFile {
  const code = maskSource(source)
  const lineCount = source.split('\n').length - (source.endsWith('\n') ? 1 : 0)
  return { path, lineCount, code, imports: importsIn(source, code) }
}

const DEFAULT_NAME = String.raw`[\w$]+\s*,?\s*`
const NAMES = String.raw`\{[^{}]*\}|\*\s*as\s+[\w$]+`
const BEGINNING = String.raw`(?<![\w$.])`
// `import type from './x.ts'` is a value import that is called "type".
const TYPE_KEYWORD = String.raw`(?<type>type\s+(?!\s*from\s*['"])|type(?=[{*]))?`

const STATIC_IMPORT = new RegExp(
  String.raw`${BEGINNING}import\s*(?:${TYPE_KEYWORD}(?:${DEFAULT_NAME})?(?:${NAMES})?\s*from\s*)?(?=['"])`,
  'g'
)
const EXPORT_FROM = new RegExp(
  String.raw`${BEGINNING}export\s*${TYPE_KEYWORD}(?:\*|${NAMES})\s*from\s*(?=['"])`,
  'g'
)
const DYNAMIC_IMPORT = new RegExp(
  String.raw`${BEGINNING}(?<typeof>typeof\s+)?import\s*\(\s*(?=(['"\x60])\s*\2)`,
  'g'
)
const LITERAL = /(['"`])(.*?)\1/y

/**
 * `import { type A } from './x.ts'` counts as a value import: only the name is erased, so that
 * `import {} from './x.ts'` remains and the file is loaded.
 */
export function readImports(source: string): Import[] {
  return importsIn(source, maskSource(source))
}

function importsIn(source: string, code: string): Import[] {
  const found = [
    ...[...code.matchAll(STATIC_IMPORT), ...code.matchAll(EXPORT_FROM)].map((match) => ({
      match,
      typeOnly: match.groups?.type !== undefined,
      dynamic: false
    })),
    ...[...code.matchAll(DYNAMIC_IMPORT)].map((match) => ({
      match,
      typeOnly: isTypeQuery(code, match),
      dynamic: true
    }))
  ]
  return found
    .sort((a, b) => a.match.index - b.match.index)
    .map(({ match, typeOnly, dynamic }) => {
      const specifier = literalAt(source, match.index + match[0].length)
      return { specifier, line: lineAt(code, match.index), typeOnly, dynamic }
    })
}

// `import('./x.ts').Thing` names a type; on the promise of a real import only these three can follow.
function isTypeQuery(code: string, match: RegExpExecArray): boolean {
  if (match.groups?.typeof !== undefined) return true
  const after = code.slice(match.index + match[0].length)
  return /^(['"`])\s*\1\s*\)\s*\.\s*(?!(?:then|catch|finally)\b)[\w$]/.test(after)
}

function literalAt(source: string, index: number): string {
  LITERAL.lastIndex = index
  return LITERAL.exec(source)?.[2] ?? ''
}

/** The lines on which the masked code matches the pattern. */
export function linesMatching(code: string, pattern: RegExp): number[] {
  return [...code.matchAll(new RegExp(pattern, 'g'))].map((match) => lineAt(code, match.index))
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

/** Nothing here begins or ends anything. It is most of a source. */
const PLAIN = /[^'"`/{}]+/y
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const STRING = /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y
const REGEX = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y
const TEMPLATE_BEGINNING = /`(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y
const TEMPLATE_CONTINUATION = /\}(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y
// After one of these a slash begins a regular expression; after anything else it divides.
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|await|yield))\s*$/

/**
 * The same text, character for character and line for line, with spaces for comments and for the insides of
 * strings, templates and regular expressions. Code between `${` and `}` of a template stays.
 */
export function maskSource(source: string): string {
  let masked = ''
  // One entry per template expression that is open: how many braces of its own are open in it.
  const braces: number[] = []
  while (masked.length < source.length) {
    PLAIN.lastIndex = masked.length
    masked += PLAIN.exec(source)?.[0] ?? ''
    const literal = nextLiteral(source, masked, braces.at(-1) === 0)
    if (literal === undefined) {
      const char = source.charAt(masked.length)
      const inTemplate = braces.length > 0
      if (inTemplate && char === '{') braces.push(braces.pop()! + 1)
      if (inTemplate && char === '}') braces.push(braces.pop()! - 1)
      masked += char
      continue
    }
    if (literal.kind === 'continuation') braces.pop()
    if (literal.kind !== 'plain' && literal.text.endsWith('${')) braces.push(0)
    masked += blank(literal.text)
  }
  return masked
}

type Literal = { kind: 'plain' | 'template' | 'continuation'; text: string }

function nextLiteral(source: string, masked: string, mayContinueTemplate: boolean): Literal | undefined {
  const match = (pattern: RegExp) => {
    pattern.lastIndex = masked.length
    return pattern.exec(source)?.[0]
  }
  const continuation = mayContinueTemplate ? match(TEMPLATE_CONTINUATION) : undefined
  if (continuation !== undefined) return { kind: 'continuation', text: continuation }
  const template = match(TEMPLATE_BEGINNING)
  if (template !== undefined) return { kind: 'template', text: template }
  const plain =
    match(COMMENT) ?? match(STRING) ?? (slashBeginsRegex(source, masked) ? match(REGEX) : undefined)
  return plain === undefined ? undefined : { kind: 'plain', text: plain }
}

function slashBeginsRegex(source: string, masked: string): boolean {
  return source.charAt(masked.length) === '/' && BEFORE_REGEX.test(masked.trimEnd().slice(-12))
}

// Quotes and backticks stay, so that the masked text still shows where a literal is.
function blank(text: string): string {
  const isComment = text.startsWith('//') || text.startsWith('/*')
  const spaces = text.replace(/[^\n]/g, ' ')
  return isComment ? spaces : text.charAt(0) + spaces.slice(1, -1) + text.charAt(text.length - 1)
}
