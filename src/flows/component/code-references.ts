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

/** Where the code has such a name of its own, that is the one it means. */
const OWN: Readonly<Record<CodeLanguage, RegExp>> = {
  javascript: /\b(?:const|let|var|function|class)\s+nodes\b|[({[,]\s*nodes\s*[,})\]]|\bnodes\s*=(?:>|(?!=))/,
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
