import type { Become } from '../become.ts'
import { placeholderFor } from '../placeholder.ts'
import { TOO_DENSE } from '../too-dense.ts'
import type { Members } from '../values.ts'
import { change } from './change.ts'
import { COMMON } from './common.ts'
import { FLOWING } from './flowing.ts'
import { functionNode, outputsOf } from './function.ts'
import type { Mapping, Place } from './mapping.ts'
import { NETWORK } from './network.ts'
import { PARSERS } from './parsers.ts'
import { PASSAGES } from './passages.ts'
import type { RedNode } from './red-node.ts'
import { SEQUENCES } from './sequence.ts'
import { switchNode } from './switch.ts'
import type { Writer } from './writer.ts'

const MAPPINGS: Readonly<Record<string, Mapping>> = {
  ...COMMON,
  ...FLOWING,
  ...SEQUENCES,
  ...PARSERS,
  ...NETWORK,
  ...PASSAGES,
  function: functionNode,
  change,
  switch: switchNode
}

/** A flow has one way in of each kind; what is too much for flows of their own is left. */
const STARTS = /^(?:http in|inject)$/

/** What becomes of a node. */
export function becomeOf(node: RedNode, write: Writer, place: Place): Become {
  const type = node.type.startsWith('subflow:') ? 'subflow' : node.type
  const mapping = Object.hasOwn(MAPPINGS, type) ? MAPPINGS[type] : undefined
  const isLeft = STARTS.test(type) && !place.isServed
  const isRead = !isLeft && node.unread === undefined
  const become = (isRead ? mapping?.(node, write, place) : undefined) ?? unknown(node, place)
  return node.isDisabled ? stopped(become) : become
}

/** Nothing passed what was disabled there; here what is disabled passes on what it gets. */
function stopped(become: Become): Become {
  const [main, ...rest] = Object.entries(become.parts)
  if (main === undefined) return become
  const disabled = { ...main[1], disabled: true }
  return {
    ...become,
    verdict: become.verdict === 'placeholder' ? 'placeholder' : 'adapted',
    note: `It was disabled there. ${become.note}`.trim(),
    parts: {
      [main[0]]: disabled,
      ...Object.fromEntries(rest),
      stops: { type: 'code', title: 'Nothing passes', fields: { code: 'return undefined' } }
    },
    feeds: [...(become.feeds ?? []), 'stops.data'],
    gives: () => 'stops.result'
  }
}

function unknown(node: RedNode, { config }: Place): Become {
  const outputs =
    node.wires.length > 0 || node.type === 'function' ? Math.max(outputsOf(node), node.wires.length) : 0
  const names = Array.from({ length: Math.min(50, outputs) }, (_, at) => (at === 0 ? 'Out' : `Out ${at + 1}`))
  const become = placeholderFor({
    was: `${node.title} (${node.type}) of Node-RED`,
    settings: settingsOf(node, config),
    nearest: node.unread === undefined ? nearestTo(node.type) : TOO_DENSE,
    outputs: names,
    inputs: ['0']
  })
  return {
    ...become,
    takes: () => 'main.in_1',
    gives: (output) => become.gives(names[Number(output)] ?? 'Out')
  }
}

const OF_CANVAS = new Set(['id', 'z', 'g', 'x', 'y', 'wires', 'type', 'name', 'd', 'credentials', 'w', 'h'])

/** Its own, and those of the broker or listener that it names. */
function settingsOf({ raw, unread }: RedNode, config: Place['config']): Members {
  return Object.fromEntries(
    Object.entries(unread ?? raw)
      .filter(([name]) => !OF_CANVAS.has(name))
      .slice(0, 100)
      .map(([name, value]) => {
        const other = typeof value === 'string' ? config(value) : undefined
        return [name, other === undefined ? value : ownSettings(other.raw)]
      })
  )
}

function ownSettings(raw: Members): Members {
  return Object.fromEntries(
    Object.entries(raw).filter(([name]) => !OF_CANVAS.has(name) && !/password|secret|token|key/i.test(name))
  )
}

const NEAREST: readonly (readonly [types: RegExp, advice: string])[] = [
  [/^mqtt in$/, 'Let the broker call a Webhook, as brokers with rules or bridges do.'],
  [/^mqtt out$/, 'Publish by an API Request, where the broker takes messages over HTTP.'],
  [/^(?:websocket|tcp|udp) ?in|^websocket in/, 'Let whoever sends call a Webhook.'],
  [/^(?:websocket|tcp|udp)/, 'Reach the other side by an API Request, or by Send Webhook.'],
  [/^exec$/, 'Commands do not run here: give what they do an address, and call it by an API Request.'],
  [/^file in$/, 'Send the file with the run, by a Form or a Webhook, or fetch it by an API Request.'],
  [/^file$/, 'Send what is to be written to an object store or a service, by an API Request.'],
  [/^watch$/, 'Let whoever writes the files call a Webhook, or look for news by a Watch.'],
  [/^status$/, 'Runs show how each step goes; Run failed starts a flow when one fails.'],
  [/^yaml$|^template$/, 'Read and write it as JSON, or by Code.'],
  [/^e-?mail$/, 'Send Email does that, with a connection to the mail server.'],
  [/mysql|postgres|sqlite/i, 'SQL does that, with a connection to the database.'],
  [/^ui[_-]/, 'Dashboards are not there: a Form asks people, Respond answers them, and runs show values.'],
  [
    /telegram|slack|discord|twilio/i,
    'Call the API of the service by an API Request, or let it call a Webhook.'
  ]
]

function nearestTo(type: string): string {
  return NEAREST.find(([types]) => types.test(type))?.[1] ?? 'Do its work with an API Request or with Code.'
}
