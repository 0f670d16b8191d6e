import type { Part } from '../become.ts'
import { OWN_ID } from '../references.ts'
import { type Members, textOf } from '../values.ts'
import { rowsOf } from './flowise-node.ts'
import { type Mapping, made } from './step.ts'
import type { Writer } from './writer.ts'

const NOT_THERE = /\brequire\s*\(|\bfetch\s*\(|\bimport\s*\(|\bBuffer\b|\bprocess\./

export const custom: Mapping = (node, write) => {
  const { inputs } = node
  const source = textOf(inputs.customFunctionJavascriptFunction) || textOf(inputs.javascriptFunction)
  return { become: functionOf(source, rowsOf(inputs.customFunctionInputVariables), write) }
}

/** `$input` is what the user said, wherever the code stands. */
const QUESTION = { variableName: 'input', variableValue: '{{ question }}' }

/** Code with its variables, each of which a Parser brings. */
export function functionOf(source: string, variables: readonly Members[], write: Writer) {
  if (NOT_THERE.test(source))
    write.tell(
      'Its code uses modules or the network, which are not there: let an API Request or SQL do that.'
    )
  if (/\$(?:flow|vars)\b/.test(source))
    write.tell(
      'Its code reads $flow or $vars, which are not there: bring it what it needs by a variable of its own.'
    )
  const readsQuestion =
    /\$input\b/.test(source) && !variables.some(({ variableName }) => variableName === QUESTION.variableName)
  const named = (readsQuestion ? [...variables, QUESTION] : variables)
    .filter(({ variableName }) => /^[A-Za-z_]\w*$/.test(textOf(variableName)))
    .slice(0, 30)
  const parts: Record<string, Part> = {}
  const links: [string, string][] = []
  const head = named.map(({ variableName, variableValue }, at) => {
    const name = `value${at + 1}`
    parts[name] = {
      type: 'parser',
      title: textOf(variableName),
      fields: { template: write.template(variableValue) || ' ' }
    }
    links.push(['once.result', `${name}.data`], [`${name}.parsed_text`, 'main.data'])
    return `const $${textOf(variableName)} = nodes["${OWN_ID}-${name}"]?.parsed_text ?? ''`
  })
  const isFed = named.length > 0
  const once: Part = { type: 'code', title: 'Once', fields: { code: 'return { data }' } }
  const code = `${head.join('\n')}\n${source || 'return data'}`.trim()
  const become = made({ main: { type: 'code', fields: { code } }, ...parts, ...(isFed && { once }) }, write, {
    gives: () => 'main.result',
    links
  })
  return isFed ? { ...become, feeds: ['once.data'] } : become
}
