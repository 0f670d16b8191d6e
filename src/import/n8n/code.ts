import { textOf } from '../values.ts'
import { handedOn } from './emptiness.ts'
import { type Mapping, made } from './mapping.ts'
import { givesOf } from './returned.ts'

const PORTS = { takes: 'data', gives: 'result' }

export const code: Mapping = (node, write, place) => {
  const { params } = node
  const source = textOf(params.jsCode ?? params.functionCode ?? params.code)
  const isEach = params.mode === 'runOnceForEachItem' || node.type === 'functionItem'
  const result = `const $out = (value) => (Array.isArray(value) ? value.map($out) : value?.json ?? value)`
  if (!isEach) {
    const isMany = givesOf(source) === 'many' || (givesOf(source) === 'same' && place.isMany)
    const body = `${result}
const $run = async () => {
${source}
}
const $result = $out(await $run())
${isMany ? handedOn('$list($result)', place.onEmpty) : 'return Array.isArray($result) ? $result[0] : $result'}`
    return made({ type: 'code', fields: { code: write.code(body) } }, write, PORTS)
  }
  const each = `${result}
const $run = async ($json, $input, item, $itemIndex) => {
${source}
}
const $each = async (json, at) => { const $input = $from(json); return $out(await $run(json, $input, ${node.type === 'functionItem' ? 'json' : '$input.item'}, at)) }`
  const body = place.isList
    ? `${each}\nconst $given = await Promise.all($list(data).map($each))\n${handedOn('$given.filter((item) => item !== null && item !== undefined)', place.onEmpty)}`
    : `${each}\nreturn (await $each($json, 0)) ?? undefined`
  return made({ type: 'code', fields: { code: write.code(body) } }, write, PORTS)
}
