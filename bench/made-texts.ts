import { seededRandom } from './drill/seeded-random.ts'

/** As many as a person knows; a few are in nearly every text, most in hardly any. */
const VOCABULARY = 20_000
const TOPICS = 300
const WORDS_OF_TOPIC = 60
const WORDS_OF_TEXT = 100
const WORDS_OF_QUESTION = 8
const SYLLABLES = ['ba', 'do', 'fen', 'gri', 'hal', 'ko', 'lur', 'mi', 'nes', 'po', 'ra', 'sul', 'te', 'vin']
const NUMBERS = 256

/** The same for the same number, about one of a few hundred topics. */
export function madeText(index: number): string {
  return wordsAbout(index % TOPICS, index + 1, WORDS_OF_TEXT)
}

/** Of other words than any text, about the same topics. */
export function madeQuestion(index: number): string {
  return wordsAbout((index * 7) % TOPICS, -index - 1, WORDS_OF_QUESTION)
}

function wordsAbout(topic: number, seed: number, count: number): string {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => {
    if (random() < 0.3)
      return wordOf((topic * WORDS_OF_TOPIC + Math.floor(random() * WORDS_OF_TOPIC)) % VOCABULARY)
    return wordOf(Math.floor(VOCABULARY * random() ** 4))
  }).join(' ')
}

function wordOf(index: number): string {
  let word = ''
  for (let left = index + SYLLABLES.length; left > 0; left = Math.floor(left / SYLLABLES.length))
    word += SYLLABLES[left % SYLLABLES.length]
  return word
}

/** What a text means: texts that share words lie near each other. */
export function madeVector(text: string): number[] {
  const vector = new Array<number>(NUMBERS).fill(0)
  for (const word of text.split(' ')) {
    const random = seededRandom(hashOf(word))
    for (let times = 0; times < 4; times++) vector[Math.floor(random() * NUMBERS)]! += random() - 0.5
  }
  return vector
}

function hashOf(word: string): number {
  let hash = 7
  for (let at = 0; at < word.length; at++) hash = (Math.imul(hash, 31) + word.charCodeAt(at)) | 0
  return hash
}
