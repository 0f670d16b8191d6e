import { isPlainObject, type JsonValue } from '../../../../src/flows/json/exact-json.ts'
import { firstTemplate } from '../template/first-template.ts'
import { type ArrivedKey, arrivedKeys } from './arrived-keys.ts'

/** A node that does something with what came. */
export interface ArrivalOffer {
  readonly type: string
  readonly fields: Readonly<Record<string, JsonValue>>
  /** What of it came that this is for. */
  readonly because: string
}

const AMOUNT =
  /(?:^|[^a-z])(?:grand_?)?(?:total|amount|sum|price|balance|quantity|qty|count|score|age|temperature|value)/i
const IDENTITY = /(?:^|[^a-z])(?:id|number|no|code|phone|zip|year|timestamp|version)$|_id$|Id$|_at$/
const KIND = /(?:^|\.)(?:status|state|type|event|action|kind|topic|level|severity|priority)$/i
const MAIL = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]{2,}$/

/** What fits what came: a list is gone through, a total is compared, an address is written to. The nearest first, one of each. */
export function offersFor(payload: JsonValue): ArrivalOffer[] {
  const keys = arrivedKeys(payload)
  return [
    listOffer(payload, keys),
    kindOffer(keys),
    amountOffer(keys),
    mailOffer(keys),
    textOffer(payload)
  ].filter((offer) => offer !== undefined)
}

function listOffer(payload: JsonValue, keys: readonly ArrivedKey[]): ArrivalOffer | undefined {
  if (Array.isArray(payload))
    return {
      type: 'for-each',
      fields: {},
      because: `It is a list of ${payload.length}: what follows runs for each.`
    }
  const lists = keys.filter(({ value }) => Array.isArray(value) && value.length > 0)
  const found = lists.find(({ value }) => isPlainObject((value as JsonValue[])[0])) ?? lists[0]
  if (found === undefined) return undefined
  const { path, type } = found
  return {
    type: 'for-each',
    fields: { list: path },
    because: `${path} is a ${type}: what follows runs for each.`
  }
}

function kindOffer(keys: readonly ArrivedKey[]): ArrivalOffer | undefined {
  const found = keys.find(({ path, value }) => KIND.test(path) && typeof value === 'string' && value !== '')
  if (found === undefined) return undefined
  const fields = { value: `{${found.path}}`, cases: [found.value] }
  return { type: 'switch', fields, because: `${found.path} is “${found.shown}”: other values go other ways.` }
}

function amountOffer(keys: readonly ArrivedKey[]): ArrivalOffer | undefined {
  const numbers = keys.filter(({ type, path }) => type === 'number' && !IDENTITY.test(path))
  const found = numbers.find(({ path }) => AMOUNT.test(path)) ?? numbers[0]
  if (found === undefined) return undefined
  const { path, shown } = found
  const fields = { mode: 'Compare', left: `{${path}}`, operator: 'is at least', right: shown }
  return { type: 'if-else', fields, because: `${path} is ${shown}: go on only from some amount.` }
}

function mailOffer(keys: readonly ArrivedKey[]): ArrivalOffer | undefined {
  const found = keys.find(({ value }) => typeof value === 'string' && MAIL.test(value))
  if (found === undefined) return undefined
  const fields = { to: `{${found.path}}` }
  return { type: 'send-email', fields, because: `${found.path} is an e-mail address.` }
}

function textOffer(payload: JsonValue): ArrivalOffer | undefined {
  const template = firstTemplate(payload)
  if (template === undefined) return undefined
  return { type: 'parser', fields: { template }, because: 'Makes a text of the keys that came.' }
}
