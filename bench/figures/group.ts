import type { BenchOptions } from '../options.ts'
import type { Workspace } from '../workspace.ts'
import type { Figure, Target } from './figure.ts'

export interface Bench {
  readonly workspace: Workspace
  readonly options: BenchOptions
  readonly say: (line: string) => void
}

/** Figures that are measured together. */
export interface FigureGroup {
  readonly key: string
  /** What --help says about it. */
  readonly about: string
  /** Reported as missed where the measurement itself fails. */
  readonly targets: readonly Target[]
  measure(bench: Bench): Promise<Figure[]>
}
