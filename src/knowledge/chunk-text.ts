import { splitByLength } from '../components/data/text-parts.ts'
import type { Turns } from '../flows/in-turns.ts'
import { WorkMeter } from '../flows/json/work-meter.ts'

/** What a piece takes besides its characters. */
const WORK_PER_PIECE = 32

/**
 * Pieces of at most so many characters, each of which begins with the end of the one before. They end where a paragraph, a line, a
 * sentence or a word does, if they can. Undefined where there are more than `most`.
 */
export function* chunkText(
  text: string,
  { chunk, overlap, most }: { readonly chunk: number; readonly overlap: number; readonly most: number }
): Turns<string[] | undefined> {
  const chunks: string[] = []
  const meter = new WorkMeter()
  for (const [piece] of splitByLength(text, chunk, overlap)) {
    const words = piece!.trim()
    if (words !== '') chunks.push(words)
    if (chunks.length > most) return undefined
    if (meter.isTurnOver(WORK_PER_PIECE + piece!.length)) yield
  }
  return chunks
}
