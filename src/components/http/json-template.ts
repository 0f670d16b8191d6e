import {
  BoundedText,
  type JsonValue,
  type Template,
  type TemplateScope,
  type Turns
} from '../../plugin-api.ts'

/**
 * JSON that is written as a template: a value between quotes is escaped as the text that it is in, any other is written
 * as JSON. So what somebody sent cannot break out of its place, and text needs no quotes around it.
 */
export function* renderJson(
  template: Template,
  { data, variables }: TemplateScope,
  most: number
): Turns<string> {
  const isInText = placesInText(template.literals)
  // The whole is one value: text that is JSON already is taken for that.
  const isWhole = template.literals.length === 2 && template.literals.join('').trim() === ''
  const text = new BoundedText(most)
  yield* template.renderTo(text, data, variables, (printed, value, place) => {
    if (isInText[place]) return JSON.stringify(printed).slice(1, -1)
    return isWhole && typeof value === 'string' ? printed : asJson(printed, value)
  })
  return text.toString()
}

function asJson(printed: string, value: JsonValue | undefined): string {
  if (value === null || (value === undefined && printed === '')) return 'null'
  return typeof value === 'string' ? JSON.stringify(printed) : printed
}

/** For each placeholder: whether it stands between the quotes of a JSON text. */
function placesInText(literals: readonly string[]): boolean[] {
  const places: boolean[] = []
  let isInText = false
  for (const literal of literals) {
    for (let at = 0; at < literal.length; at++) {
      if (literal[at] === '\\') at++
      else if (literal[at] === '"') isInText = !isInText
    }
    places.push(isInText)
  }
  return places
}

/** Whether the text of a template begins as JSON does. */
export function looksLikeJson({ literals }: Template): boolean {
  return /^\s*[{[]/.test(literals[0]!)
}
