import type { ListedFlow } from '../../../api/shapes.ts'

interface HourStep {
  readonly id: string
  readonly title: string
  /** What to do for it. */
  readonly hint: string
  /** In the help. */
  readonly help: string
  readonly isDone: boolean
}

/** The flow that comes with a new service. */
const EXAMPLE = 'orders'
/** Whoever has so many of their own knows their way. */
const KNOWN_AT = 3

type Facts = Pick<ListedFlow, 'slug' | 'nodes' | 'recent_runs'>

/** Whether anything of it may be left to do: asked before the rest is loaded. */
export function isFirstHour(flows: readonly Facts[]): boolean {
  return ownOf(flows).length < KNOWN_AT
}

/** What somebody does who is new here, told from what there is: nobody ticks anything off. */
export function hourSteps(flows: readonly Facts[], keys: number | undefined): readonly HourStep[] {
  const own = ownOf(flows)
  const steps: HourStep[] = [
    {
      id: 'run',
      title: 'Start a flow by webhook',
      hint: 'Send a request to the example with curl, and look at its run.',
      help: 'tutorial#2-your-first-webhook-2-minutes',
      isDone: flows.some(hasRun)
    },
    {
      id: 'draw',
      title: 'Make a flow of your own',
      hint: 'New flow: begin with a template, or with an empty canvas.',
      help: 'tutorial#3-draw-a-flow-4-minutes',
      isDone: own.length > 0
    },
    {
      id: 'publish',
      title: 'Publish it',
      hint: 'Until then it is a draft, and nobody can start it.',
      help: 'tutorial#5-publish-1-minute',
      isDone: own.some(({ nodes }) => nodes.length > 0)
    },
    {
      id: 'start',
      title: 'Start it from outside',
      hint: 'API access, in the editor, has the address and the command.',
      help: 'webhooks',
      isDone: own.some(hasRun)
    }
  ]
  if (keys === undefined) return steps
  const key: HourStep = {
    id: 'key',
    title: 'Give its sender a key of its own',
    hint: 'With no more rights than to start this one flow.',
    help: 'keys#keys',
    isDone: keys > 1
  }
  return [...steps, key]
}

function ownOf(flows: readonly Facts[]): readonly Facts[] {
  return flows.filter(({ slug }) => slug !== EXAMPLE)
}

function hasRun({ recent_runs = [] }: Facts): boolean {
  return recent_runs.length > 0
}
