export function readFault(error: { readonly message: string; readonly stack?: string }): {
  readonly words: string
  readonly line?: number
  readonly column?: number
}
