import { jsonLanguage } from '@codemirror/lang-json'

export interface JsonFault {
  readonly from: number
  readonly to: number
  /** One sentence that says where. */
  readonly message: string
}

/**
 * The first place where a text is not JSON. The words of the browser's own parser name a position in some cases only;
 * the grammar that colours the text knows it in all of them.
 */
export function jsonFault(text: string): JsonFault | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch {
    return placed(text, firstError(text) ?? { from: 0, to: text.length })
  }
}

function firstError(text: string): { readonly from: number; readonly to: number } | undefined {
  let found: { readonly from: number; readonly to: number } | undefined
  jsonLanguage.parser.parse(text).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) found ??= { from, to }
      return found === undefined
    }
  })
  return found
}

function placed(text: string, { from, to }: { readonly from: number; readonly to: number }): JsonFault {
  if (text.slice(from).trim() === '') return { from, to, message: 'It ends too early.' }
  const before = text.slice(0, from).split('\n')
  const place = `line ${before.length}, column ${before.at(-1)!.length + 1}`
  return { from, to, message: `The mistake is at ${place}.` }
}
