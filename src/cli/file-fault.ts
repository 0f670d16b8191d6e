import { messageOf } from '../errors.ts'

const words: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  ENOTDIR: 'there is a file where a folder is meant',
  EISDIR: 'it is a folder',
  EACCES: 'you have no right to',
  EPERM: 'you have no right to',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ELOOP: 'its links lead round in a circle',
  ENAMETOOLONG: 'the name is too long'
}

/** Why a file or a folder cannot be read or written, for whoever typed its name. */
export function fileFault(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  return words[code ?? ''] ?? messageOf(error)
}
