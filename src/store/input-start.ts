/** Enough to tell runs apart. Lists read no more of an input, which may have megabytes. */
export const INPUT_START_BYTES = 1024

/** The beginning of an input as text. */
export interface InputStart {
  readonly text: string
  /** There is more of it. */
  readonly isCut: boolean
}

export function inputStartOf(input: Uint8Array): InputStart {
  return inputStart(input.subarray(0, INPUT_START_BYTES), input.byteLength > INPUT_START_BYTES)
}

/** A character that the cut went through is left out. */
export function inputStart(bytes: Uint8Array, isCut: boolean): InputStart {
  return { text: new TextDecoder().decode(bytes, { stream: isCut }), isCut }
}

/** Of a run without any, or one that was deleted while it was being listed. */
export const NO_INPUT: InputStart = { text: '', isCut: false }
