import { type Become, withNote, withPlainFields } from '../become.ts'
import { type Members, textOf } from '../values.ts'
import { isSet, noteOfUnread, watchedSettings } from '../watched-settings.ts'
import { becomeOf } from './become-of.ts'
import type { Place } from './mapping.ts'
import type { RedNode } from './red-node.ts'
import type { Writer } from './writer.ts'

/** How it is drawn, and what is said about it; wires and switched off nodes are read elsewhere. */
const OF_CANVAS =
  /^(?:id|z|g|x|y|w|h|d|l|wires|type|name|label|info|icon|color|category|inputs|outputs|inputLabels|outputLabels|credentials|env)$/

type Meaningless = (settings: Members) => RegExp | undefined

const RATES = 'rate|nbRateUnits|rateUnits|drop|allowrate'
const RANDOM = 'randomFirst|randomLast|randomUnits'
const FIXED = 'timeout|timeoutUnits'
const REDUCE = 'reduce\\w+'
const BUILT = 'build|joiner|joinerType|key|property|propertyType|accumulate|count|useparts'

/** Settings of these types that need no reading: others say the same, they belong to another mode, or count in Node-RED alone. */
const WITHOUT_MEANING: Readonly<Record<string, Meaningless>> = {
  // Older versions had one payload and one topic, which newer ones keep beside what they send.
  inject: () => /^(?:payload|payloadType|topic|onceDelay|crontab|repeat)$/,
  debug: () => /^(?:tosidebar|console|tostatus|statusVal|statusType|active|targetType|complete)$/,
  catch: () => /^(?:scope|uncaught)$/,
  complete: () => /^(?:scope|uncaught)$/,
  'link in': () => /^links$/,
  'link out': () => /^links$/,
  'link call': () => /^(?:links|linkType)$/,
  function: () => /^noerr$/,
  change: () => /^(?:action|property|from|to|reg)$/,
  // Where it is not read, at most one of the rules holds.
  switch: () => /^checkall$/,
  template: () => /^format$/,
  'http request': () => /^(?:persist|authType)$/,
  split: ({ arraySpltType }) => (arraySpltType === 'len' ? /^arraySpltType$/ : undefined),
  delay: ({ pauseType }) => named(...ofDelay(pauseType)),
  join: ({ mode, build, joinerType }) =>
    named(...ofJoin(mode, build), ...(joinerType === 'str' ? ['joinerType'] : [])),
  sort: ({ targetType }) => named(targetType === 'seq' ? 'target|msgKey|msgKeyType' : 'seqKey|seqKeyType'),
  batch: ({ mode }) => named(...ofBatch(mode)),
  trigger: ({ bytopic }) => (bytopic === 'topic' ? undefined : /^(?:bytopic|topic)$/)
}

function named(...names: readonly string[]): RegExp | undefined {
  return names.length === 0 ? undefined : new RegExp(`^(?:${names.join('|')})$`)
}

function ofDelay(pauseType: unknown): string[] {
  if (pauseType === 'random') return [FIXED, RATES]
  return /^(?:rate|queue|timed)$/.test(textOf(pauseType)) ? [FIXED, RANDOM] : [RANDOM, RATES]
}

function ofJoin(mode: unknown, build: unknown): string[] {
  if (mode === 'reduce') return [BUILT]
  if (mode !== 'custom') return [BUILT, REDUCE]
  return [
    REDUCE,
    ...(build === 'string' ? [] : ['joiner', 'joinerType']),
    ...(build === 'object' ? [] : ['key'])
  ]
}

function ofBatch(mode: unknown): string[] {
  if (mode === 'interval') return ['count|overlap|topics']
  return [mode === 'concat' ? 'count|overlap|interval' : 'interval|topics']
}

/** What becomes of a node: exact only where all its settings were looked at. */
export function toldBecome(node: RedNode, write: Writer, place: Place): Become {
  const { settings, unread } = watchedSettings(node.raw, isMade)
  const become = withPlainFields(becomeOf({ ...node, raw: settings }, write, place))
  const meaningless = Object.hasOwn(WITHOUT_MEANING, node.type)
    ? WITHOUT_MEANING[node.type]?.(node.raw)
    : undefined
  const left = unread().filter((path) => !OF_CANVAS.test(path) && meaningless?.test(path) !== true)
  return withNote(become, node.type.startsWith('subflow:') ? '' : noteOfUnread(left))
}

function isMade(value: unknown): boolean {
  return isSet(value) && value !== 0 && value !== '0' && value !== 'false'
}
