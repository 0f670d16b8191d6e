import { useQueryClient } from '@tanstack/react-query'
import { useReactFlow } from '@xyflow/react'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { askAssistant } from '../../../api/assistant.ts'
import type { Repair } from '../asked-for.ts'
import { useEditor } from '../editor-context.ts'
import type { CanvasPart } from '../geometry/canvas-parts.ts'
import type { CanvasWire } from '../geometry/canvas-wires.ts'
import { measuresOf } from '../geometry/measures.ts'
import type { ModelChoice } from './chosen-model.ts'
import { drawnProposal } from './proposed-flow.ts'
import { type Asking, afterAnswer, NO_TALK, type Talk } from './talk.ts'

export interface Question extends ModelChoice {
  readonly words: string
  /** The model may see what went into the run, and what came out. */
  readonly data: boolean
  /** A run of the flow that it is about. */
  readonly run: string | undefined
  readonly repair: Repair | undefined
}

interface TalkControl {
  readonly talk: Talk
  /** Undefined while nobody is asked. */
  readonly asking: Asking | undefined
  /** Why nobody could be asked. */
  readonly problem: unknown
  readonly isStopped: boolean
  ask(question: Question): Promise<void>
  stop(): void
  change(talk: Talk): void
}

/** What is said between somebody and the model. It outlives the panel for a while: an answer may have cost something. */
export function useTalk(): TalkControl {
  const api = useApi()
  const editor = useEditor()
  const queries = useQueryClient()
  const { getNodes } = useReactFlow<CanvasPart, CanvasWire>()
  const { flowId } = editor
  const key = ['assistant', flowId]
  const [talk, setTalk] = useState<Talk>(() => queries.getQueryData<Talk>(key) ?? NO_TALK)
  const [asking, setAsking] = useState<Asking | undefined>()
  const [problem, setProblem] = useState<unknown>()
  const [isStopped, setStopped] = useState(false)
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => () => stopping.current?.abort(), [])

  const change = (next: Talk) => {
    setTalk(next)
    queries.setQueryData(key, next)
  }

  const listener = {
    doing: (what: string) => setAsking((now) => now && { ...now, doing: [...now.doing, what] }),
    text: (piece: string) => setAsking((now) => now && { ...now, text: now.text + piece }),
    restart: () => setAsking((now) => now && { ...now, text: '' })
  }

  const ask = async ({ run, repair, ...question }: Question): Promise<void> => {
    stopping.current?.abort()
    const stop = new AbortController()
    stopping.current = stop
    setProblem(undefined)
    setStopped(false)
    setAsking({ doing: [], text: '' })
    const { flow, catalogue } = editor.state()
    const base = talk.proposal?.base ?? flow
    const document = talk.proposal?.flow ?? flow
    try {
      const asked = {
        ...question,
        document,
        run_id: repair?.run ?? run,
        node: repair?.node,
        before: talk.turns
      }
      const end = await askAssistant(api, flowId, asked, { listener, signal: stop.signal })
      if (stop.signal.aborted) return
      if (end === undefined) throw new Error('The answer broke off. Ask again.')
      const measures = (drawn: typeof flow) => measuresOf(drawn, catalogue, getNodes())
      const proposal =
        end.proposal === null
          ? undefined
          : { ...end.proposal, base, flow: await drawnProposal(document, end.proposal, measures) }
      const words = question.words.trim() || `Repair the node ${repair?.node ?? ''}`
      change(afterAnswer(talk, { asked: words, end, proposal }))
    } catch (error) {
      if (!stop.signal.aborted) setProblem(error)
    } finally {
      if (stopping.current === stop) setAsking(undefined)
    }
  }

  const stop = () => {
    stopping.current?.abort()
    setAsking(undefined)
    setStopped(true)
  }
  return { talk, asking, problem, isStopped, ask, stop, change }
}
