import { builtInComponents } from '../../components/built-in.ts'
import type { askTurn } from '../../components/language-model/agent/agent-turn.ts'
import { type AgentStep, runAgent } from '../../components/language-model/agent/run-agent.ts'
import { type AnyComponent, defineComponent, type JsonValue, type Step } from '../../plugin-api.ts'
import { type Agent, asked, CAUGHT, joined } from './flow-spec.ts'
import type { Outside } from './outside-components.ts'

/** What an agent's model does, as its node holds it. Tools by the names that they are called by. */
type Script = Pick<Agent, 'ms' | 'fails'> & { readonly turns: readonly (readonly string[])[] }

type Asking = Parameters<typeof askTurn>[0]

const NO_TOKENS = { input_tokens: 1, cached_tokens: 0, output_tokens: 1 }

/** The real agent, whose model is asked through the outside: what it answers follows from what it is told. */
export function scriptedAgent(outside: Outside): AnyComponent {
  const { check: _, ...agent } = builtInComponents.find(({ type }) => type === 'agent')!
  const run = (step: Step) =>
    runAgent(step as unknown as AgentStep, (asking) => answerOf(asking, step, outside))
  const { connection } = agent.fields!
  return defineComponent({
    ...agent,
    fields: {
      ...agent.fields,
      connection: { ...connection, optional: true },
      script: { kind: 'json', title: 'Script' }
    },
    run,
    resume: run
  } as AnyComponent)
}

async function answerOf({ since, index, question }: Asking, step: Step, outside: Outside) {
  const { turns, ms, fails } = step.fields.script as unknown as Script
  // Each turn is told by what was called and what came of it.
  const turn = since.length / 2
  const value = turn === 0 ? readValue(question.text) : joined(resultsIn(since.at(-1)!))
  const { id: runId, flowId } = step.run
  await outside.execute({
    ...{ runId, flowId, node: `${step.node}/${index}`, label: `${step.node}-turn-${turn}`, value },
    ...{ attempt: step.attempt, key: `${step.idempotencyKey}/${index}`, signal: step.signal },
    ...{ ms, mode: fails > 0 ? 'flaky' : 'ok', fails }
  })
  const calls = (turns[turn] ?? []).map((name, place) => ({
    id: `call-${index}-${place}`,
    name,
    input: JSON.stringify({ v: asked(value, place) })
  }))
  const usage = {
    connection: 'simulated',
    model: 'scripted',
    ...NO_TOKENS,
    cost: null,
    finish: 'stop' as const
  }
  return { text: calls.length === 0 ? JSON.stringify({ v: value }) : '', calls, usage }
}

/** What it is told of its tools: a failure counts as any that was led on. */
function resultsIn({ content }: Asking['since'][number]): number[] {
  const results = content as readonly { readonly output: { readonly type: string; readonly value: string } }[]
  return results.map(({ output }) => (output.type === 'error-text' ? CAUGHT : readValue(output.value)))
}

function readValue(text: string): number {
  const value = JSON.parse(text) as JsonValue
  return (value as { readonly v?: number } | null)?.v ?? CAUGHT
}
