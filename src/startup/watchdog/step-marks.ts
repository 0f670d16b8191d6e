import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import type { PlacedStep } from '../../runs/steps/step-watch.ts'

/** The number of the run and the place of the step, 0 for none; of this process first, then of the one before. */
const LENGTH = 16
const NONE = Buffer.alloc(LENGTH)

/**
 * A file that outlives the process, however that ends, and tells the next one in which step it did. What is written reaches
 * the file at once, though not the disk: a machine that loses power is no step's fault. It is there while a process runs,
 * and its end in order takes it away.
 *
 * To write it for each step would be a tenth of what a run costs. So a process writes it only if the one before did not end
 * in order, and only for what that one left: of a step that kills, the second death has the mark. Somebody who ends processes
 * from outside may hit any step, and what it was at is not to fail for that: it is tried alone, and is deadly if that process dies
 * with it in hand as well.
 */
export class StepMarks {
  readonly #path: string
  readonly #file: number
  readonly #mark = Buffer.alloc(LENGTH)
  /** Whether the process before this one ended in order. */
  readonly isAfterDeath: boolean
  /** In which step the process before this one died, and the one before that. */
  readonly deadly: PlacedStep | undefined
  /** In which step the process before this one died, and the one before that did not. */
  readonly suspect: PlacedStep | undefined

  constructor(path: string) {
    const before = readMark(path)
    this.isAfterDeath = before !== undefined
    const inHand = stepIn(before?.subarray(0, LENGTH))
    const isSecond = isSame(inHand, stepIn(before?.subarray(LENGTH)))
    this.deadly = isSecond ? inHand : undefined
    this.suspect = isSecond ? undefined : inHand
    this.#path = path
    this.#file = openSync(path, 'w')
    this.clear()
    if (inHand !== undefined) this.#write(inHand, LENGTH)
  }

  set(step: PlacedStep): void {
    this.#write(step, 0)
  }

  clear(): void {
    writeSync(this.#file, NONE, 0, LENGTH, 0)
  }

  #write({ seq, index }: PlacedStep, place: number): void {
    this.#mark.writeDoubleLE(seq, 0)
    this.#mark.writeInt32LE(index + 1, 8)
    writeSync(this.#file, this.#mark, 0, LENGTH, place)
  }

  /** The process ends in order. */
  close(): void {
    closeSync(this.#file)
    rmSync(this.#path, { force: true })
  }
}

function readMark(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

function stepIn(mark: Buffer | undefined): PlacedStep | undefined {
  if (mark === undefined || mark.length < LENGTH) return undefined
  const index = mark.readInt32LE(8) - 1
  return index < 0 ? undefined : { seq: mark.readDoubleLE(0), index }
}

function isSame(one: PlacedStep | undefined, other: PlacedStep | undefined): boolean {
  return one !== undefined && one.seq === other?.seq && one.index === other.index
}
