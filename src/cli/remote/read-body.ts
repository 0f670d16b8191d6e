import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { CommandError } from '../command-error.ts'
import { fileFault } from '../file-fault.ts'
import type { Outside } from './outside.ts'

/** The bytes of a file; of what is piped in where it is called "-". */
export async function readBytes(
  file: string,
  { input, folder }: Pick<Outside, 'input' | 'folder'>
): Promise<Uint8Array> {
  if (file === '-') return buffer(input)
  try {
    return await readFile(resolve(folder, file))
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${fileFault(error)}.`)
  }
}
