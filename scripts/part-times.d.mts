export interface Part {
  readonly title: string
  readonly seconds: number
  readonly processors: number
}
export function tableOf(parts: readonly Part[], seconds: number): string
export function endAndCount(end: () => Promise<void>): Promise<void>
