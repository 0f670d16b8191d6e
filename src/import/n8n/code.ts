import { textOf } from '../values.ts'
import { type Mapping, made } from './mapping.ts'
import type { Writer } from './writer.ts'

const PORTS = { takes: 'data', gives: 'result' }

export const code: Mapping = (node, write, place) => {
  const { params } = node
  if (textOf(params.language).startsWith('python')) return python(textOf(params.pythonCode), write)
  const source = textOf(params.jsCode ?? params.functionCode ?? params.code)
  const isEach = params.mode === 'runOnceForEachItem' || node.type === 'functionItem'
  const result = `const $out = (value) => (Array.isArray(value) ? value.map($out) : value?.json ?? value)`
  if (!isEach) {
    const one = givesOne(source)
    const body = `${result}
const $run = async () => {
${source}
}
const $result = $out(await $run())
return ${one ? 'Array.isArray($result) ? $result[0] : $result' : '$list($result)'}`
    return made({ type: 'code', fields: { code: write.code(body) } }, write, PORTS)
  }
  const each = `${result}
const $run = async ($json, item, $itemIndex) => {
${source}
}`
  const body = place.isList
    ? `${each}\nreturn Promise.all($list(data).map(async (json, at) => $out(await $run(json, { json }, at))))`
    : `${each}\nreturn $out(await $run($json, item, 0))`
  return made({ type: 'code', fields: { code: write.code(body) } }, write, PORTS)
}

/** Whether it gives one item, as far as its words tell: every `return` is of an object, or of a list of one that is written out. */
export function givesOne(source: string): boolean {
  const returns = [...source.matchAll(/(?:^|[;{}\n])\s*return\b\s*([^\n]{0,200})/g)].map(([, rest]) => rest!)
  const isWrittenOut = (rest: string) => /^\{/.test(rest) || /^\[\s*\{/.test(rest) || /^\[\s*$/.test(rest)
  const last = returns.at(-1)
  if (last === undefined || !isWrittenOut(last)) return false
  return !/\.(?:map|push|flatMap|concat)\s*\(/.test(source.slice(source.lastIndexOf('return')))
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
