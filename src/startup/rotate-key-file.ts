import { MillraceError } from '../errors.ts'
import { keyFileIn, newKeyText, readKeyFile, writeKeyFile } from './secret-key-file.ts'

/**
 * Puts a new key before the one in the file, which stays behind it: from now on the service seals with the new one, and
 * whatever is still under the old one opens. Where several are there already, an earlier change was cut short, and this
 * one goes on with its key. Returns whether there is a key to change.
 */
export function beginKeyChange(home: string): boolean {
  const path = keyFileIn(home)
  const text = readKeyFile(path)
  if (text === undefined) return false
  const keys = keysIn(text)
  if (keys.length === 1) writeKeyFile(path, written([newKeyText(), ...keys]))
  return true
}

/**
 * Leaves the first key in the file. The others are kept beside it, where the service does not look: backups that were
 * made until now open with them alone. They are written there first, so that no crash loses one.
 */
export function endKeyChange(home: string): string {
  const path = keyFileIn(home)
  const [first, ...others] = keysIn(readKeyFile(path) ?? '')
  if (first === undefined) {
    throw new MillraceError('secret_key_missing', `The key in ${path} is gone. Put it back; secrets need it.`)
  }
  const retired = `${path}.old`
  const before = keysIn(readKeyFile(retired) ?? '')
  writeKeyFile(retired, written([...new Set([...others, ...before])]))
  writeKeyFile(path, written([first]))
  return retired
}

function keysIn(text: string): string[] {
  return text
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
}

function written(keys: readonly string[]): string {
  return `${keys.join(',\n')}\n`
}
