import type { Fault } from '../errors.ts'
import type { Settings } from './kinds/connection-kind.ts'
import { kindOf } from './kinds/kinds.ts'

const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/

/** Those that no header can hold, such as a key that was copied with the end of its line or an invisible letter: each request would fail. */
export function unsendableSecrets(
  kind: string,
  settings: Settings,
  secrets: Readonly<Record<string, string>>
): Fault[] {
  const names = kindOf(kind)?.headerSecrets?.(settings) ?? []
  return [...new Set(names)]
    .filter((name) => Object.hasOwn(secrets, name) && !SENDABLE.test(secrets[name]!))
    .map((name) => {
      const what = /[\r\n]/.test(secrets[name]!) ? 'a line break' : 'a letter'
      const message = `The secret "${name}" holds ${what} that no header can hold, perhaps at its end. Copy it once more, without what stands around it.`
      return { code: 'connection_invalid', path: `/secrets/${name}`, message }
    })
}
