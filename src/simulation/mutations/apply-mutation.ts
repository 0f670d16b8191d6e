import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mutation } from './mutations.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
/** What the code needs besides its own files. */
const BESIDE = ['package.json', 'tsconfig.json']

/** `test` has what starts a server of PostgreSQL. */
const AS_THEY_ARE = ['node_modules', 'test']

/** A copy of the code, to be spoiled. */
export class CopiedCode {
  readonly folder: string

  constructor(below = tmpdir()) {
    this.folder = mkdtempSync(join(below, 'millrace-mutations-'))
    cpSync(join(ROOT, 'src'), join(this.folder, 'src'), { recursive: true })
    for (const file of BESIDE) cpSync(join(ROOT, file), join(this.folder, file))
    for (const folder of AS_THEY_ARE) symlinkSync(join(ROOT, folder), join(this.folder, folder))
  }

  get cli(): string {
    return join(this.folder, 'src', 'simulation', 'cli.ts')
  }

  /** Returns what takes it back. Throws where the code is not any more what the mutation was written for. */
  apply(mutation: Mutation): () => void {
    const path = join(this.folder, 'src', mutation.file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, mutated(text, mutation))
    return () => writeFileSync(path, text)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export function mutated(text: string, { name, file, from, to }: Mutation): string {
  const parts = text.split(from)
  if (parts.length === 2) return parts.join(to)
  const found = parts.length === 1 ? 'is not there any more' : `is there ${parts.length - 1} times`
  throw new Error(
    `The mutation "${name}" cannot be made: in src/${file}, ${JSON.stringify(from)} ${found}. Write it anew.`
  )
}
