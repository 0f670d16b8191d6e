export const MOST_TIMES: number

export interface TimeClocks {
  readonly passed: () => number
  readonly had: () => number
}

export class OwnTime {
  constructor(clocks?: TimeClocks)
  readonly had: number
  begin(ms: number): void
  isOver(): boolean
}
