import type { JsonValue } from '../../../../../src/flows/json/exact-json.ts'
import type { AgentTurn } from '../../../api/shapes.ts'
import { duration } from '../../../design/format-time.ts'

type Tokens = Pick<AgentTurn['usage'], 'input_tokens' | 'output_tokens' | 'cost'>

/** "1,204 tokens in, 33 out · cost 0.0012"; without a cost where no price is known. */
export function tokenWords({ input_tokens, output_tokens, cost }: Tokens): string {
  const tokens = `${input_tokens.toLocaleString('en')} tokens in, ${output_tokens.toLocaleString('en')} out`
  return cost == null ? tokens : `${tokens} · cost ${Number(cost.toPrecision(3))}`
}

/** What all questions and calls came to. */
export function totalOf(turns: readonly AgentTurn[]): string {
  const sum = (of: (turn: AgentTurn) => number) => turns.reduce((total, turn) => total + of(turn), 0)
  const calls = sum((turn) => turn.calls.length)
  const tokens = {
    input_tokens: sum(({ usage }) => usage.input_tokens),
    output_tokens: sum(({ usage }) => usage.output_tokens),
    // Of questions whose price is not known nobody knows what all of them cost.
    cost: turns.every(({ usage }) => usage.cost != null) ? sum(({ usage }) => usage.cost ?? 0) : null
  }
  const took = sum(
    ({ duration_ms, calls }) =>
      (duration_ms ?? 0) + Math.max(0, ...calls.map((call) => call.duration_ms ?? 0))
  )
  return [
    turns.length === 1 ? '1 question' : `${turns.length} questions`,
    calls === 1 ? '1 call' : `${calls} calls`,
    duration(took),
    tokenWords(tokens)
  ].join(' · ')
}

/** As much as stands in a line. */
const LONGEST = 160

/** What a tool is called with, without the frame of an object: "order: 7, size: large". */
export function inOneLine(given: JsonValue): string {
  const text = isObject(given)
    ? Object.entries(given)
        .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
        .join(', ')
    : typeof given === 'string'
      ? given
      : JSON.stringify(given)
  return text.replace(/\s+/g, ' ').slice(0, LONGEST)
}

function isObject(value: JsonValue): value is { [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
