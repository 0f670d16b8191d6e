export interface DeclaredOption {
  readonly does: string
  /** What its value is called; without it, it has none. */
  readonly takes?: string
  readonly short?: string
  readonly multiple?: boolean
  readonly choices?: readonly string[]
  /** What completes its value. */
  readonly from?: string
}

export interface DeclaredOperand {
  readonly does: string
  readonly example: string
  readonly optional?: boolean
  /** It takes all words that are left. */
  readonly rest?: boolean
  readonly choices?: readonly string[]
  readonly from?: string
}

export interface DeclaredCommand {
  readonly does: string
  /** People do not type it, so help does not tell it. */
  readonly hidden?: boolean
  /** It goes on until somebody ends it, who has had then what they wanted. */
  readonly endless?: boolean
  /** It speaks to a service, which --url and others name. */
  readonly remote?: boolean
  readonly operands?: Readonly<Record<string, DeclaredOperand>>
  readonly options?: Readonly<Record<string, DeclaredOption>>
  readonly examples?: readonly string[]
}

export interface Declared {
  readonly groups: readonly { readonly title: string; readonly commands: readonly string[] }[]
  readonly shared: Readonly<Record<string, DeclaredOption>>
  readonly remote: Readonly<Record<string, DeclaredOption>>
  readonly standsFor: Readonly<Record<string, string>>
  readonly commands: Readonly<Record<string, DeclaredCommand>>
}

export interface FoundCommand {
  readonly name: string | undefined
  readonly group: string | undefined
  readonly words: readonly string[]
  /** What was typed is not its name. */
  readonly standsFor: boolean
}

export function readDeclared(): Declared
export function optionsOf(declared: Declared, name: string): Readonly<Record<string, DeclaredOption>>
export function wordsOf(declared: Declared, args: readonly string[]): readonly string[]
export function findCommand(declared: Declared, args: readonly string[]): FoundCommand
