import type { Absorbed } from '../assembly.ts'
import { type Become, withNote } from '../become.ts'
import { isSet, noteOfUnread, watchedSettings } from '../watched-settings.ts'
import type { N8nNode } from './n8n-node.ts'

/** Settings of which each is one by itself. */
const SETS = /^(?:options|additionalFields|additionalOptions|otherOptions|updateFields|filters|parameters)\./
/** What is read elsewhere, says how other settings are written, or counts on the page of n8n alone. */
const SAYS_NOTHING =
  /^(?:(?:loose)?[tT]ypeValidation|hasOutputParser|schemaType|notice|authentication|nodeCredentialType|genericAuthType|resource|operation|webhookId|version|\w*Notice|preBuiltAgentsCallout\w*|curlImport|infoBox|descriptionType|select)$/

/** What its editor keeps beside values: what lists to choose from showed, ids of rows, and how operators are drawn. */
const OF_EDITOR =
  /(?:^|\.)(?:__\w+|cachedResult\w+)$|\.schema$|\[\]\.id$|\.operator\.(?:name|singleValue|rightType)$|\.renameOutput$|\brenameFallbackOutput$|^workflowInputs\./

interface Followed {
  /** The same node, whose settings know who has read them. */
  readonly node: N8nNode
  /** Settings that somebody made and nobody has read, by name. */
  readonly unread: () => string[]
}

/** What a node becomes is only told to be exact where all its settings were looked at. */
export function followed(node: N8nNode): Followed {
  const { settings, unread } = watchedSettings(node.params, isMade)
  return {
    node: { ...node, params: settings },
    // What hands on what it gets has no settings, whatever a file says.
    unread: () =>
      node.type === 'noOp'
        ? []
        : unread().filter((path) => !SAYS_NOTHING.test(lastOf(path)) && !OF_EDITOR.test(path))
  }
}

/** What is turned off may have been on by itself; conversions of columns are not. */
function isMade(value: unknown, path: string): boolean {
  if (value === false) return !/(?:attemptToConvertTypes|convertFieldsToString)$/.test(path)
  return isSet(value)
}

function lastOf(path: string): string {
  return path.replace(/^.*\./, '')
}

interface Told {
  readonly becomes: Map<string, Become>
  readonly absorbed: Map<string, Absorbed>
}

/** Settings that nothing here was made of. */
export function tellUnread(name: string, unread: readonly string[], told: Told): void {
  tellMore(name, noteOfUnread(unread.map((each) => each.replace(SETS, ''))), told)
}

/** Of a node that is no placeholder: what differs besides. */
export function tellMore(name: string, note: string, { becomes, absorbed }: Told): void {
  const become = becomes.get(name)
  if (become !== undefined) becomes.set(name, withNote(become, note))
  const into = absorbed.get(name)
  if (into !== undefined && note !== '')
    absorbed.set(name, { ...into, verdict: 'adapted', note: `${into.note} ${note}`.trim() })
}
