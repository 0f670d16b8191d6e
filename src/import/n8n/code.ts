import { textOf } from '../values.ts'
import { type Mapping, made } from './mapping.ts'
import { givesOf } from './returned.ts'
import type { Writer } from './writer.ts'

const PORTS = { takes: 'data', gives: 'result' }

export const code: Mapping = (node, write, place) => {
  const { params } = node
  if (textOf(params.language).startsWith('python')) return python(textOf(params.pythonCode), write)
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
return ${isMany ? '$list($result)' : 'Array.isArray($result) ? $result[0] : $result'}`
    return made({ type: 'code', fields: { code: write.code(body) } }, write, PORTS)
  }
  const each = `${result}
const $run = async ($json, $input, item, $itemIndex) => {
${source}
}
const $each = async (json, at) => { const $input = $from(json); return $out(await $run(json, $input, ${node.type === 'functionItem' ? 'json' : '$input.item'}, at)) }`
  const body = place.isList
    ? `${each}\nreturn Promise.all($list(data).map($each))`
    : `${each}\nreturn $each($json, 0)`
  return made({ type: 'code', fields: { code: write.code(body) } }, write, PORTS)
}

function python(source: string, write: Writer) {
  const lines = source.split('\n').map((line) => `// ${line}`)
  return made(
    {
      type: 'code',
      fields: { code: `// This was Python. Write it as JavaScript:\n${lines.join('\n')}\nreturn data` }
    },
    write,
    PORTS,
    'It was Python, which stands in the code as a comment: write it as JavaScript. Until then the data goes on as it is.'
  )
}
