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

/** Calls back with each word, and with what stands for those that begin like it. Its work grows with the text. */
export function eachWord(text, tell) {
  const plain = text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
  for (const [word, unspaced] of plain.matchAll(WORDS)) {
    if (unspaced === undefined) tellWord(word, tell)
    else eachPair(unspaced, tell)
  }
}

function tellWord(word, tell) {
  const short = word.length > LONGEST_WORD ? word.slice(0, LONGEST_WORD) : word
  tell(short)
  // No word begins with a space.
  if (short.length > STEM && LETTERS.test(short)) tell(` ${short.slice(0, STEM)}`)
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
