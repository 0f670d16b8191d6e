import type { Absorbed } from '../assembly.ts'
import type { Become } from '../become.ts'
import { isMembers, type Members, membersOf } from '../values.ts'
import type { N8nNode } from './n8n-node.ts'

/** Settings of which each is one by itself. */
const SETS = /^(?:options|additionalFields|additionalOptions|otherOptions|updateFields|filters)$/
/** What is read elsewhere, says how other settings are written, or counts on the page of n8n alone. */
const SAYS_NOTHING =
  /^(?:(?:loose)?[tT]ypeValidation|hasOutputParser|schemaType|notice|authentication|nodeCredentialType|genericAuthType|resource|operation|promptType|path|webhookId|language|height|width|content|color|requestOptions|batching|\w*Notice|preBuiltAgentsCallout\w*|curlImport|infoBox|simplify|caseSensitive|version|descriptionType|toolDescription|workflowInputs|source|mode|select|driveId|agent|messageType|inputSource|specifyInputSchema|dataType|jsonMode|responseMode|bodyContentType|contentType)$/

interface Followed {
  /** The same node, whose settings know who has read them. */
  readonly node: N8nNode
  /** Settings that somebody made and nobody has read, by name. */
  readonly unread: () => string[]
}

/** What a node becomes is only told to be exact where all its settings were looked at. */
export function followed(node: N8nNode): Followed {
  const read = new Set<string>()
  const sets = Object.entries(node.params).filter(([name, value]) => SETS.test(name) && isMembers(value))
  const inner = new Map(sets.map(([name, set]) => [name, watched(membersOf(set), `${name}.`, read)]))
  const params = watched({ ...node.params, ...Object.fromEntries(inner) }, '', read)
  const names = () => [
    ...namesIn(node.params, '').filter((name) => !inner.has(name)),
    ...sets.flatMap(([name, set]) => namesIn(membersOf(set), `${name}.`))
  ]
  return {
    node: { ...node, params },
    // What hands on what it gets has no settings, whatever a file says.
    unread: () =>
      (node.type === 'noOp' ? [] : names()).filter(
        (name) => !read.has(name) && !SAYS_NOTHING.test(name.replace(/^\w+\./, ''))
      )
  }
}

function namesIn(members: Members, before: string): string[] {
  return Object.entries(members).flatMap(([name, value]) => (isSet(value) ? [`${before}${name}`] : []))
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/** Whoever lists them reads all. */
function watched(members: Members, before: string, read: Set<string>): Members {
  return new Proxy(members, {
    get: (target, name) => {
      if (typeof name === 'string') read.add(`${before}${name}`)
      return Object.hasOwn(target, name) ? target[name as string] : undefined
    },
    ownKeys: (target) => {
      for (const name of Object.keys(target)) read.add(`${before}${name}`)
      return Reflect.ownKeys(target)
    }
  })
}

const MOST_NAMED = 6

/** Settings that nothing here was made of. */
export function tellUnread(
  name: string,
  unread: readonly string[],
  { becomes, absorbed }: { becomes: Map<string, Become>; absorbed: Map<string, Absorbed> }
): void {
  if (unread.length === 0) return
  const named = unread.slice(0, MOST_NAMED).map((each) => JSON.stringify(each.replace(/^\w+\./, '')))
  const note = `Of its settings nothing was made of ${named.join(', ')}${unread.length > MOST_NAMED ? ' and others' : ''}.`
  const become = becomes.get(name)
  if (become !== undefined && become.verdict !== 'placeholder')
    becomes.set(name, { ...become, verdict: 'adapted', note: `${become.note} ${note}`.trim() })
  const into = absorbed.get(name)
  if (into !== undefined)
    absorbed.set(name, { ...into, verdict: 'adapted', note: `${into.note} ${note}`.trim() })
}
