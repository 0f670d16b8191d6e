import type { PathOperand } from '../../../../src/components/expression/conditions/condition.ts'
import { scanTemplate } from '../../../../src/flows/template/scan-template.ts'
import { stepText } from '../template/template-path.ts'

/** A path as templates write it (`customer.name`, `$nodes.parser-1.parsed_text`), as one side of a condition. */
export function pathOperand(text: string, roots: readonly string[]): PathOperand | undefined {
  const source = `{${text.trim()}}`
  const [piece, ...others] = scanTemplate(source)
  if (piece?.kind !== 'field' || others.length > 0 || piece.field.text !== text.trim()) return undefined
  const keys = piece.field.steps.map(({ key, index }, at) => (at > 0 && index >= 0 ? index : key))
  const { contextName } = piece.field
  if (contextName === undefined) return { kind: 'path', root: 'data', keys }
  return roots.includes(contextName) ? { kind: 'path', root: contextName, keys: keys.slice(1) } : undefined
}

/** The other way round; undefined where a template has no way to write it. */
export function pathOperandText({ root, keys }: PathOperand): string | undefined {
  if (root === '') return ''
  const begins = root === 'data' && keys.length > 0 ? '' : `$${root}`
  let text = begins
  for (const key of keys) {
    const step = stepText(key, text === '')
    if (step === undefined) return undefined
    text += step
  }
  return text
}
