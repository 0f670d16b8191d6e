import { slugify } from '../../flows/slug.ts'
import { answerNameFault } from '../../flows/step/step-answer.ts'
import { type Become, PASSES_ON } from '../become.ts'
import { bounded, membersIn, membersOf, textOf } from '../values.ts'
import { askedBy, conditionsOf } from './condition.ts'
import { conditionCode } from './condition-code.ts'
import { handedOn } from './emptiness.ts'
import { type Mapping, made, several } from './mapping.ts'
import { merge } from './merge.ts'
import { chosen } from './n8n-node.ts'
import { isWritten } from './n8n-text.ts'
import { switchCase } from './switch.ts'

const ifElse: Mapping = (node, write, place) => {
  if (place.isList) return parted(node, write, place)
  const asked = askedBy(node, node.params.conditions, write)
  return {
    ...made({ type: 'if-else', fields: { ...asked } }, write, { takes: 'data' }),
    gives: (output) => (output === '1' ? 'main.false' : 'main.true')
  }
}

/** Of a list in a loop, each item goes its way. */
const parted: Mapping = (node, write, { onEmpty }) => {
  const { comparisons, isAny } = conditionsOf(node.params.conditions, node.params)
  const asked = conditionCode(comparisons, isAny, write)
  const way = (isTrue: boolean) => {
    const kept = `$list(data).filter(($json, $itemIndex) => ${isTrue ? '' : '!'}(${asked}))`
    return { type: 'code', fields: { code: write.code(handedOn(kept, onEmpty)) } }
  }
  return {
    ...several({ main: way(true), false: { ...way(false), title: `${node.name}: false` } }, write, {
      takes: 'data'
    }),
    feeds: ['false.data'],
    gives: (output) => (output === '1' ? 'false.result' : 'main.result')
  }
}

const filter: Mapping = (node, write, place) => {
  if (!place.isList) return ifElse(node, write, place)
  const { comparisons, isAny } = conditionsOf(node.params.conditions, node.params)
  const kept = `$list(data).filter(($json) => ${conditionCode(comparisons, isAny, write)})`
  const body = handedOn(kept, place.onEmpty)
  return made({ type: 'code', fields: { code: write.code(body) } }, write, { takes: 'data', gives: 'result' })
}

const passOn: Mapping = (_node, write) => made(PASSES_ON, write, { takes: 'data', gives: 'data' })

const loop: Mapping = (node, write, place) => {
  const asked = bounded(node.params.batchSize, 1, 1_000_000) ?? (node.version >= 3 ? 1 : 10)
  const size = place.isOneByOne ? 1 : asked
  const items = {
    type: 'code',
    title: 'All results',
    fields: { code: handedOn('data.flat().filter((item) => item !== null)', place.onEmpty) }
  }
  const list = {
    type: 'code',
    title: 'As a list',
    fields: {
      code:
        size === 1
          ? 'return Array.isArray(data) ? data : [data]'
          : `const list = Array.isArray(data) ? data : [data]\nreturn Array.from({ length: Math.ceil(list.length / ${size}) }, (_, at) => list.slice(at * ${size}, (at + 1) * ${size}))`
    }
  }
  if (size > 1) write.tell(`Inside is a list of ${size} items at a time.`)
  write.tell(
    'What stands between Loop and the way back is inside of it, and runs once for each item; Done gives what that gave, in order.'
  )
  const isNew = node.version >= 3
  return {
    ...several({ main: { type: 'for-each', fields: {} }, list, items }, write, {}, [
      ['list.result', 'main.items'],
      ['main.results', 'items.data']
    ]),
    takes: (input) => (input === 'back' ? 'main.result' : 'list.data'),
    gives: (output) =>
      output === 'index'
        ? 'main.index'
        : output === 'item' || output === (isNew ? '1' : '0')
          ? 'main.item'
          : 'items.result'
  }
}

const UNITS: Readonly<Record<string, string>> = { seconds: 's', minutes: 'm', hours: 'h', days: 'd' }

const wait: Mapping = (node, write) => {
  const { params } = node
  const resume = textOf(params.resume)
  if (resume === 'webhook' || resume === 'form') {
    const note =
      resume === 'form'
        ? 'It waits for a call, not for a form: {$resume.…} is its address.'
        : 'The address that it waits at is {$resume.…} of this node.'
    return made({ type: 'wait-for-call', fields: {} }, write, { takes: 'data', gives: 'data' }, note)
  }
  if (resume === 'specificTime')
    return made({ type: 'delay', fields: { until: write.template(params.dateTime) } }, write, {
      takes: 'data',
      gives: 'data'
    })
  const unit = UNITS[textOf(params.unit)] ?? (node.version >= 1.1 ? 's' : 'h')
  const amount = isWritten(params.amount)
    ? write.template(params.amount)
    : textOf(params.amount) || (node.version >= 1.1 ? '5' : '1')
  return made({ type: 'delay', fields: { for: `${amount}${unit}` } }, write, { takes: 'data', gives: 'data' })
}

const stop: Mapping = (node, write) => {
  const { params } = node
  const message = write.template(params.errorMessage ?? params.errorObject) || 'The run was stopped.'
  return made({ type: 'stop', fields: { message } }, write, { takes: 'data' })
}

const runFlow: Mapping = (node, write, place) => {
  const id = chosen(node.params.workflowId)
  const name = textOf(membersOf(node.params.workflowId).cachedResultName)
  const flow = place.slugOf(textOf(id)) ?? slugify(name || textOf(id))
  if (place.slugOf(textOf(id)) === undefined)
    write.tell(`It runs the flow with the slug "${flow}": import that too, or choose another.`)
  const wait = membersOf(node.params.options).waitForSubWorkflow !== false
  const given = membersOf(membersOf(node.params.workflowInputs).value)
  const names = Object.keys(given)
  const part = { type: 'run-flow', fields: { flow, ...(wait ? {} : { wait: false }) } }
  if (names.length === 0) return made(part, write, { takes: 'data', gives: wait ? 'data' : 'run' })
  const body = `return { ${names.map((key) => `${JSON.stringify(key)}: ${write.js(given[key])}`).join(', ')} }`
  const input = { type: 'code', title: 'What it is given', fields: { code: write.code(body) } }
  return several(
    { main: part, input },
    write,
    { takes: 'input.data', gives: wait ? 'main.data' : 'main.run' },
    [['input.result', 'main.data']]
  )
}

const respond: Mapping = (node, write, place) => {
  const { params } = node
  const options = membersOf(params.options)
  const named = membersIn(membersOf(options.responseHeaders).entries).map(
    ({ name, value }) => [textOf(name), write.template(value)] as const
  )
  const refused = named.filter(([name]) => answerNameFault(name) !== undefined)
  if (refused.length > 0)
    write.tell(`Of its headers Millrace says these itself: ${refused.map(([name]) => name).join(', ')}.`)
  const headers = Object.fromEntries(named.filter(([name]) => answerNameFault(name) === undefined))
  const fields = {
    status: options.responseCode === undefined ? '200' : write.template(options.responseCode),
    ...(Object.keys(headers).length > 0 && { headers })
  }
  const by = textOf(params.respondWith) || 'firstIncomingItem'
  const answer = (more: object, note = '') =>
    made({ type: 'respond', fields: { ...fields, ...more } }, write, { takes: 'data', gives: 'data' }, note)
  switch (by) {
    case 'json':
      return answer({ body: write.template(textOf(params.responseBody)), content_type: 'application/json' })
    case 'text':
      return answer({
        body: write.template(params.responseBody),
        ...('content-type' in headers || 'Content-Type' in headers ? {} : { content_type: 'text/html' })
      })
    case 'redirect':
      return answer({
        status: '302',
        headers: { ...headers, Location: write.template(params.redirectURL) },
        body: ' '
      })
    case 'noData':
      return answer({ body: ' ', status: options.responseCode === undefined ? '204' : fields.status })
    case 'jwt':
      return answer({}, 'It answered with a signed token: make one in code.')
    case 'binary':
      return answer(
        ofFile(textOf(params.inputFieldName) || 'data'),
        'It answers with the file that the item holds.'
      )
    default:
      return firstItem(fields, by, write, place)
  }
}

function ofFile(name: string): object {
  return { body: `{[${name.replaceAll(']', '')}]}` }
}

function firstItem(
  fields: object,
  by: string,
  write: Parameters<Mapping>[1],
  place: Parameters<Mapping>[2]
): Become {
  const isFirst = by === 'firstIncomingItem'
  const respondPart = { type: 'respond', fields: { ...fields } }
  if (!place.isMany || !isFirst) return made(respondPart, write, { takes: 'data', gives: 'data' })
  const first = {
    type: 'code',
    title: 'The first item',
    fields: { code: 'return Array.isArray(data) ? data[0] : data' }
  }
  return several({ main: respondPart, first }, write, { takes: 'first.data', gives: 'main.data' }, [
    ['first.result', 'main.data']
  ])
}

export const LOGIC: Readonly<Record<string, Mapping>> = {
  if: ifElse,
  filter,
  switch: switchCase,
  noOp: passOn,
  executionData: passOn,
  merge,
  splitInBatches: loop,
  wait,
  stopAndError: stop,
  executeWorkflow: runFlow,
  respondToWebhook: respond
}
