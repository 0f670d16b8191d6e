export class StrippedSources {
  constructor(path: string, base: string)
  of(address: string): string | undefined
}
export function writeStripped(path: string, base: string, files: readonly string[]): void
