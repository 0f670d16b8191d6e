import { posix } from 'node:path'
import type { Import, SourceFile } from './read-imports.ts'

/** What breaks a rule of the house, and where. */
export type Breach = { file: string; line: number; rule: string; remedy: string }

export function describeBreach({ file, line, rule, remedy }: Breach): string {
  return `${file}:${line} ${rule}\n    Remedy: ${remedy}`
}

type Judgement = (
  file: SourceFile,
  imported: Import,
  target: string | undefined
) => { rule: string; remedy: string } | undefined

export function breachesOfImports(files: SourceFile[], judge: Judgement): Breach[] {
  return files.flatMap((file) =>
    file.imports.flatMap((imported) => {
      const verdict = judge(file, imported, targetOf(file, imported))
      return verdict === undefined ? [] : [{ file: file.path, line: imported.line, ...verdict }]
    })
  )
}

/** The imported file's path from the root of the repository; undefined for a package. */
export function targetOf(file: SourceFile, { specifier }: Import): string | undefined {
  return specifier.startsWith('.') ? posix.join(posix.dirname(file.path), specifier) : undefined
}
