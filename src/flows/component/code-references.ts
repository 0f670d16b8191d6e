import type { ReferenceName } from '../graph/run-references.ts'

type CodeLanguage = 'javascript' | 'jsonata' | 'cel'

interface FoundInCode {
  readonly offset: number
  readonly text: string
  readonly name: ReferenceName
  /** Undefined where only the run tells which node is meant. */
  readonly node: string | undefined
}

/** Words of code that are neither a member of something nor a key. */
const NAMES: Readonly<Record<CodeLanguage, RegExp>> = {
  javascript: /(?<![\w$.]|\.\s)(nodes|run)\b(?!\s*:)/g,
  cel: /(?<![\w$.])(nodes|run|now)\b/g,
  jsonata: /\$(nodes|run)\b/g
}

/** `nodes` among parameters, with all of them. */
const PARAMETERS = String.raw`\((?:[^()]{0,200}[,{[\s])?(?:\.{3})?nodes\s{0,50}(?:[,}\]=:?][^()]{0,200})?\)\s{0,50}`

/** Declared, taken out of something, assigned to, or a parameter. A call that is given `nodes` names it without having it. */
const OWN_IN_JAVASCRIPT = [
  String.raw`\b(?:const|let|var|function|class)\s+nodes\b`,
  String.raw`\b(?:const|let|var)\s{0,50}[{[](?:[^=;]{0,200}[{[,\s:])?nodes\s{0,50}[,}\]=]`,
  String.raw`(?<![\w$.])nodes\s{0,50}=(?:>|(?!=))`,
  `${PARAMETERS}(?::[^={}()]{0,100})?=>`,
  String.raw`\bfunction\b[^()]{0,100}${PARAMETERS}`,
  String.raw`(?<!\b(?:if|while|for|await|switch)\s{0,50})${PARAMETERS}\{`
]

/** Where the code has such a name of its own, that is the one it means. */
const OWN: Readonly<Record<CodeLanguage, RegExp>> = {
  javascript: new RegExp(OWN_IN_JAVASCRIPT.join('|')),
  cel: /[({,]\s*nodes\s*,/,
  jsonata: /\$nodes\s*:=|function\s*\([^)]{0,200}\$nodes\b/
}

/** How the node is named right after it: `["id"]`, `.id`, in JSONata `."id"`, and in CEL `[?"id"]`, `.?id`, where it may be absent. */
const NAMED =
  /^\s{0,50}(?:(?:\?\.)?\[\??\s{0,50}(["'`])([A-Za-z0-9_-]{1,100})\1\s{0,50}\]|\??\.\??\s{0,50}(?:(["'`])([A-Za-z0-9_-]{1,100})\3|([A-Za-z_][A-Za-z0-9_]{0,99})))/

/**
 * What code reads of the run, by its words alone: what is read too much costs a little, and code that is not understood
 * is never refused for it.
 */
export function* codeReferences(source: string, language: CodeLanguage): Generator<FoundInCode> {
  const hasOwnNodes = source.includes('nodes') && OWN[language].test(source)
  for (const found of source.matchAll(NAMES[language])) {
    const name = found[1] as ReferenceName
    const { index: offset } = found
    if (name !== 'nodes') yield { offset, text: found[0], name, node: undefined }
    else if (!hasOwnNodes) yield namedAt(source, offset, found[0])
  }
}

/** Longer than the longest id with all that may stand around it. */
const LONGEST_NAMED = 320

function namedAt(source: string, offset: number, word: string): FoundInCode {
  const from = offset + word.length
  const [written, , inBrackets, , quoted, plain] = NAMED.exec(source.slice(from, from + LONGEST_NAMED)) ?? []
  return { offset, text: word + (written ?? ''), name: 'nodes', node: inBrackets ?? quoted ?? plain }
}
