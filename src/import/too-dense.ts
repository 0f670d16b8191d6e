import { isMembers } from './values.ts'

/** What is read of texts takes some microseconds for each brace, all of it in one turn. No template has half as many placeholders. */
const MOST_BRACES = 6_000
/** Braces of code are copied, and not read as templates. */
const OF_CODE = 0.1

/** Said of a node whose settings are not read. */
export const TOO_DENSE = `Its settings have more than ${MOST_BRACES.toLocaleString('en')} braces, and no more are read: split it into several nodes.`

/** Whether settings have more placeholders, or braces, than are read of one node. `isCode` is asked of each text, by its name. */
export function isTooDense(settings: unknown, isCode: (name: string, text: string) => boolean): boolean {
  let left = MOST_BRACES
  const rest: [name: string, value: unknown][] = [['', settings]]
  while (rest.length > 0 && left >= 0) {
    const [name, value] = rest.pop()!
    if (typeof value === 'string') left -= weight(value, isCode(name, value), left)
    else if (Array.isArray(value)) for (const item of value) rest.push([name, item])
    else if (isMembers(value)) for (const member of Object.entries(value)) rest.push(member)
  }
  return left < 0
}

/** Not looked at further than to what is too much. */
function weight(text: string, isCode: boolean, most: number): number {
  const each = isCode ? OF_CODE : 1
  let sum = 0
  for (const brace of ['{', '}'])
    for (let at = text.indexOf(brace); at >= 0 && sum <= most; at = text.indexOf(brace, at + 1)) sum += each
  return sum
}
