import { type JsonValue, parseJson } from '../../../../src/flows/json/exact-json.ts'
import { templateFault } from '../../../../src/flows/template/template-fault.ts'

/**
 * What somebody typed who may write JSON whose texts are templates, or a text that is one. What begins as JSON and is
 * neither is still being typed.
 */
export function readTextOrJson(text: string): { readonly value: JsonValue } | { readonly wrong: string } {
  if (text.trim() === '') return { value: null }
  if (!/^\s*[{[]/.test(text)) return { value: text }
  try {
    return { value: parseJson(text) }
  } catch (error) {
    if (templateFault(text) === undefined) return { value: text }
    return { wrong: `This is neither JSON yet nor a template: ${(error as Error).message}` }
  }
}
