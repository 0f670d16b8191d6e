/**
 * The words of a text, as they are searched: without accents, in lower case. Scripts that put no spaces between words are cut into
 * pairs of characters, which is what dictionaries are left out with; a search for a word finds its pairs side by side.
 */

/** Of a longer one the rest says nothing: it is a key, or bytes written as text. */
const LONGEST_WORD = 64
/** Words are inflected at their ends: those that begin alike are taken for related. */
const STEM = 5

const UNSPACED = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]`
const WORDS = new RegExp(String.raw`(${UNSPACED}+)|[[\p{L}\p{N}\p{M}]--${UNSPACED}]+`, 'gv')
const LETTERS = /^\p{L}+$/u
const ACCENTS = /[\u0300-\u036f]/g

const ASCII = /^[\0-\x7f]*$/

/** Calls back with each word. Its work grows with the text. */
export function eachWord(text, tell) {
  if (ASCII.test(text)) return eachAsciiWord(text.toLowerCase(), tell)
  const plain = text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
  for (const [word, unspaced] of plain.matchAll(WORDS)) {
    if (unspaced === undefined) tell(word.length > LONGEST_WORD ? word.slice(0, LONGEST_WORD) : word)
    else eachPair(unspaced, tell)
  }
}

/** What stands for all words that begin like this one; undefined where the word is short, or a code. */
export function stemOf(word) {
  return word.length > STEM && LETTERS.test(word) ? word.slice(0, STEM) : undefined
}

/** As the others, in a third of the time. */
function eachAsciiWord(plain, tell) {
  let from = -1
  for (let at = 0; at <= plain.length; at++) {
    const code = plain.charCodeAt(at)
    const isInWord = (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
    if (isInWord && from === -1) from = at
    else if (!isInWord && from !== -1) {
      tell(plain.slice(from, Math.min(at, from + LONGEST_WORD)))
      from = -1
    }
  }
}

function eachPair(unspaced, tell) {
  let before = ''
  let isFirst = true
  for (const character of unspaced) {
    if (before !== '') tell(before + character)
    isFirst = before === ''
    before = character
  }
  if (isFirst) tell(before)
}
