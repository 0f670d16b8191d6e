import { StreamLanguage } from '@codemirror/language'

const WORDS = /^(?:and|or|in|true|false|null|function)\b/

/** Enough to colour an expression: texts, numbers, names, what begins with a dollar. */
export const jsonataLanguage = StreamLanguage.define<{ isInComment: boolean }>({
  startState: () => ({ isInComment: false }),
  token: (stream, state) => {
    if (state.isInComment || stream.match('/*')) {
      state.isInComment = !stream.match(/^.*?\*\//)
      if (state.isInComment) stream.skipToEnd()
      return 'comment'
    }
    if (stream.eatSpace()) return null
    if (stream.match(/^(?:"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)/)) return 'string'
    if (stream.match(/^\d+(?:\.\d+)?(?:e[+-]?\d+)?/i)) return 'number'
    if (stream.match(WORDS)) return 'keyword'
    if (stream.match(/^\$\$?[\p{L}\p{N}_]*/u)) return 'variableName'
    if (stream.match(/^(?:`[^`]*`?|[\p{L}_][\p{L}\p{N}_]*)/u)) return 'propertyName'
    stream.next()
    return 'punctuation'
  },
  languageData: {
    commentTokens: { block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['(', '[', '{', '"', "'", '`'] }
  }
})
