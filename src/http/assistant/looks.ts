import type { FastifyRequest } from 'fastify'
import type { ToldTool } from '../../assistant/assistant-tools.ts'
import type { Look } from '../../assistant/converse.ts'
import { toldRun } from '../../assistant/told-run.ts'
import { MillraceError } from '../../errors.ts'
import { isPlainObject, type JsonValue, writeJson } from '../../flows/json/exact-json.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { runNotFound } from '../../runs/run-refusals.ts'
import type { ApiParts } from '../api-parts.ts'
import { askOwnApi, whyNot } from '../mcp/build.ts'
import { BUILDING_TOOLS } from '../mcp/building-tools.ts'
import { visibleRunOf } from '../runs/visible-run.ts'

interface LooksOf {
  readonly request: FastifyRequest
  readonly parts: Pick<ApiParts, 'mount' | 'runs' | 'library'>
  readonly flow: LiveFlow
  readonly context: string
  /** It may see what went into runs, and what came out. */
  readonly hasData: boolean
}

type Facts = Readonly<Record<string, JsonValue>>

/** What the assistant may look at, by the same tools that assistants of others have, for this flow alone: none of them writes. */
export class Looks {
  readonly #of: LooksOf
  #components: Promise<readonly Facts[]> | undefined

  constructor(of: LooksOf) {
    this.#of = of
  }

  get all(): readonly Look[] {
    const runs = this.#of.hasData ? [this.#listRuns(), this.#readRun()] : []
    return [this.#listComponents(), this.#listFlows(), ...runs]
  }

  /** A line of each. */
  async componentLines(): Promise<string> {
    const all = await this.#readComponents()
    return all
      .map(({ type, title, description, trigger }) => {
        return `- ${type} (${title}${trigger === null ? '' : ', a trigger'}): ${description}`
      })
      .join('\n')
  }

  /** Those of these types, with fields and ports. */
  async componentsOf(types: readonly string[]): Promise<string> {
    const all = await this.#readComponents()
    return writeJson(all.filter(({ type }) => types.includes(String(type))).map(asTold))
  }

  /** A run of this flow, as the model is told of it. */
  async run(id: string): Promise<string> {
    const { request, parts, flow, hasData } = this.#of
    const run = await visibleRunOf(request, id, parts)
    if (run.flowId !== flow.id) throw runNotFound()
    return toldRun(await parts.runs.present(run), hasData)
  }

  #listComponents(): Look {
    return {
      tool: {
        ...toolNamed('millrace_list_components'),
        inputSchema: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
        description: 'A component with its fields, inputs and outputs, by its type.'
      },
      doing: ({ type }) => `Looks at the component ${shortName(type)}`,
      look: async ({ type }) => {
        const found = (await this.#readComponents()).find((component) => component.type === type)
        if (found === undefined)
          return { text: `The context sees no component ${writeJson(type ?? null)}.`, isFailed: true }
        return { text: writeJson(asTold(found)), isFailed: false }
      }
    }
  }

  #listFlows(): Look {
    return {
      tool: toolNamed('millrace_list_flows'),
      doing: () => 'Looks at the list of flows',
      look: (args) => this.#byTool('millrace_list_flows', args)
    }
  }

  #listRuns(): Look {
    const { flow } = this.#of
    return {
      tool: {
        ...toolNamed('millrace_list_runs'),
        description: 'The newest runs of this flow, without their steps.',
        inputSchema: { type: 'object', properties: { status: { type: 'string' } } }
      },
      doing: () => 'Looks at the list of runs',
      look: ({ status = '' }) => this.#byTool('millrace_list_runs', { status, flow_id: flow.id })
    }
  }

  #readRun(): Look {
    return {
      tool: {
        ...toolNamed('millrace_read_run'),
        description: 'A run of this flow with its steps, values by their beginnings.'
      },
      doing: () => 'Looks at a run',
      look: async ({ run }) => {
        try {
          return { text: await this.run(typeof run === 'string' ? run : ''), isFailed: false }
        } catch (error) {
          if (error instanceof MillraceError) return { text: error.message, isFailed: true }
          throw error
        }
      }
    }
  }

  async #byTool(name: string, args: Facts): Promise<{ text: string; isFailed: boolean }> {
    const { request, parts } = this.#of
    const { told = (all: JsonValue) => all, ...call } = BUILDING_TOOLS.find(
      (tool) => tool.name === name
    )!.call(args)
    const { isRefused, answered } = await askOwnApi(call, request, parts.mount)
    return { text: isRefused ? whyNot(answered) : writeJson(told(answered)), isFailed: isRefused }
  }

  /** Read once: it is long, and a model asks for one after the other. */
  #readComponents(): Promise<readonly Facts[]> {
    const { request, parts, context } = this.#of
    const path = `/api/v1/components?context=${encodeURIComponent(context)}`
    this.#components ??= askOwnApi({ method: 'GET', path }, request, parts.mount).then(({ answered }) => {
      const list = isPlainObject(answered) && Array.isArray(answered.components) ? answered.components : []
      return list.filter(isPlainObject).filter(({ placeholder }) => placeholder !== true) as Facts[]
    })
    return this.#components
  }
}

function toolNamed(wanted: string): ToldTool {
  const { name, description, inputSchema } = BUILDING_TOOLS.find((tool) => tool.name === wanted)!
  return { name, description, inputSchema }
}

/** Not for a model: how it is found and drawn. */
const LEFT_OUT = new Set(['keywords', 'icon', 'owner', 'context', 'placeholder', 'category'])

function asTold(component: Facts): Facts {
  const members = Object.entries(component).filter(
    ([name, value]) => !LEFT_OUT.has(name) && value !== null && value !== false
  )
  return Object.fromEntries(members)
}

function shortName(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.slice(0, 60) : 'of no type'
}
