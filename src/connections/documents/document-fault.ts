/** Why a document is not taken, for whoever sent it. */
export class DocumentFault extends Error {}

/** A text of somebody's document, short enough to be shown. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
}

export type JsonObject = { readonly [name: string]: unknown }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member of its own: whatever an object inherits is nobody's document. */
export function member(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The beginning of a text, in one line of plain spaces. */
export function shortened(value: unknown, most: number): string {
  const text = textOf(value)
  // Most are: to look is quicker than to replace.
  if (text.length <= most && !/[\n\r\t]|^ | $| {2}/.test(text)) return text
  const line = text
    .slice(0, most * 2)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}
