export interface SourceNote {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width?: number
  readonly height?: number
  readonly colour?: string
}

const LONGEST_NOTE = 20_000
const MOST_NOTES = 1_000

/** Their ids are none of nodes. */
export function notesOf(
  notes: readonly SourceNote[],
  ids: ReadonlyMap<string, string>
): Record<string, unknown>[] {
  const taken = new Set(ids.values())
  let n = 0
  return notes.slice(0, MOST_NOTES).map(({ text, x, y, width, height, colour }) => {
    do n++
    while (taken.has(`note-${n}`))
    const size = width !== undefined && height !== undefined && width >= 1 && height >= 1
    return {
      id: `note-${n}`,
      text: text.slice(0, LONGEST_NOTE),
      position: { x: placed(x), y: placed(y) },
      ...(size && { size: { width: Math.min(width, 1e6), height: Math.min(height, 1e6) } }),
      ...(colour !== undefined && { colour })
    }
  })
}

/** Where it was there, as far as a canvas goes. */
export function placed(value: number): number {
  return Number.isFinite(value) ? Math.round(Math.min(900_000, Math.max(-900_000, value))) : 0
}
