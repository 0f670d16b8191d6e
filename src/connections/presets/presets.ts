import code from './code.json' with { type: 'json' }
import data from './data.json' with { type: 'json' }
import google from './google-and-microsoft.json' with { type: 'json' }
import mail from './mail.json' with { type: 'json' }
import messages from './messages.json' with { type: 'json' }
import type { Preset } from './preset.ts'
import sales from './sales.json' with { type: 'json' }
import work from './work.json' with { type: 'json' }

/** By their names. Its test holds what the files say against the schema and against the kind of connection that they fill in. */
export const PRESETS = ([messages, mail, google, work, code, sales, data] as unknown as Preset[][])
  .flat()
  .sort((one, other) => one.name.localeCompare(other.name, 'en'))

export function presetOf(id: unknown): Preset | undefined {
  return PRESETS.find((preset) => preset.id === id)
}
