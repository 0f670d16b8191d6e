export interface Instruction {
  readonly name: string
  readonly text: string
}

export interface Stage {
  readonly base: string
  readonly name: string
  readonly instructions: readonly Instruction[]
}

export function readDockerfile(text: string): Instruction[]
export function stagesOf(instructions: readonly Instruction[]): Stage[]
export function textsOf(instructions: readonly Instruction[], name: string): string[]
export function readCopy(text: string): {
  readonly from: string | undefined
  readonly paths: readonly string[]
  readonly to: string
}
export function execForm(text: string): string[]
export function environmentOf(instructions: readonly Instruction[]): Record<string, string>
