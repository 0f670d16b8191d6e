import type { Become } from '../become.ts'
import { placeholderFor } from '../placeholder.ts'
import { TOO_DENSE } from '../too-dense.ts'
import { textOf } from '../values.ts'
import { appTrigger } from './app-triggers.ts'
import { appRequest, nearestApp } from './apps/app-request.ts'
import { DATA } from './data.ts'
import { DATABASES } from './databases.ts'
import { HTTP } from './http.ts'
import { vectorStore } from './knowledge.ts'
import { LOGIC } from './logic.ts'
import type { Mapping, Place } from './mapping.ts'
import { MODELS } from './models.ts'
import type { N8nNode } from './n8n-node.ts'
import { TEXTS } from './texts.ts'
import { TRIGGERS, triggerOf } from './triggers.ts'
import type { Writer } from './writer.ts'

const MAPPINGS: Readonly<Record<string, Mapping>> = {
  ...TRIGGERS,
  ...LOGIC,
  ...DATA,
  ...HTTP,
  ...MODELS,
  ...TEXTS,
  ...DATABASES
}

/** What becomes of a node. */
export function becomeOf(node: N8nNode, write: Writer, place: Place): Become {
  return withErrorOutput(node, mapped(node, write, place))
}

function mapped(node: N8nNode, write: Writer, place: Place): Become {
  const { type, params } = node
  if (node.unread !== undefined) return unknown(node, write, place, TOO_DENSE)
  if (isPython(node)) return unknown(node, write, place, 'It was Python: write what it did as Code.')
  if (place.isInner) return unknown(node, write, place, INNER)
  const operation = textOf(params.operation)
  const mapping =
    own(`${type}/${operation}`) ?? own(type) ?? (/^ai:vectorStore/.test(type) ? vectorStore : undefined)
  const become =
    mapping?.(node, write, place) ??
    appTrigger(node, write) ??
    // A tool that no agent has is what it would be in a flow.
    appRequest({ ...node, type: type.replace(/Tool$/, '') }, write)
  if (become === undefined) return unknown(node, write, place)
  const trigger = triggerOf(become)
  if (trigger === undefined || node.isDisabled || !place.isTaken(trigger)) return become
  return unknown(node, write, place, `A flow has one ${trigger}: make another flow of what it leads to.`)
}

const INNER =
  'It is a loop in a loop, and a For each holds no other one: make a flow of what it repeats, and call that by a Run flow.'

/** Nobody translates it, and nothing stands for it until somebody does. */
function isPython({ type, params }: N8nNode): boolean {
  return type === 'code' && textOf(params.language).startsWith('python')
}

function unknown(node: N8nNode, write: Writer, place: Place, why = ''): Become {
  const nearest = nearestApp(node)
  if (nearest.preset !== undefined) write.connection('http', nearest.preset)
  return placeholderFor({
    was: `${node.name} (${node.fullType.split('.').at(-1)}) of n8n`,
    settings: node.unread ?? node.params,
    nearest: why || nearest.advice,
    outputs:
      place.outputs.length === 0
        ? ['Out']
        : place.outputs.map((output) => (output === 0 ? 'Out' : `Out ${output + 1}`)),
    inputs: place.inputs.filter((input) => input >= 0).map(String),
    isTool: false,
    connections: write.connections
  })
}

/** Of what is no failure for the flow: the second of its outputs, or a further item of the first. */
function withErrorOutput({ raw, type }: N8nNode, become: Become): Become {
  if (become.verdict === 'placeholder')
    return {
      ...become,
      gives: (output) =>
        become.gives(output === '0' ? 'Out' : `Out ${Number(output) + 1}`) ?? become.gives('Out')
    }
  const continues = raw.continueOnFail === true || /^continue/.test(textOf(raw.onError))
  if (!continues || become.gives('0') === undefined) return become
  const isOutput = raw.onError === 'continueErrorOutput'
  const error = type === 'httpRequest' ? '{ message: data.message, name: data.code }' : 'data.message'
  const failed = {
    type: 'code',
    title: 'As n8n tells a failure',
    fields: { code: `return { error: ${error} }` }
  }
  return {
    ...become,
    parts: { ...become.parts, failed },
    links: [...(become.links ?? []), ['main.error', 'failed.data']],
    gives: (output) =>
      output === 'error' || (isOutput && output === '1') ? 'failed.result' : become.gives(output)
  }
}

function own(name: string): Mapping | undefined {
  return Object.hasOwn(MAPPINGS, name) ? MAPPINGS[name] : undefined
}
