import { useEffect, useRef } from 'react'
import type { JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import { useApi } from '../../../../api/api-context.ts'
import { tryNode } from '../../../../api/run-node.ts'
import { useMay } from '../../../../api/session.ts'
import type { Node } from '../../../../editor/graph/flow.ts'
import { useEditor, useEditorState } from '../../editor-context.ts'
import { whenSaved } from '../../save/when-saved.ts'
import { useSaving } from '../../session/saving-context.ts'
import type { CodeInput } from './use-code-input.ts'
import { type Trying, useTrial } from './use-trial.ts'

/** For so long nothing was typed: the thought may be whole. */
const PAUSE_MS = 400

interface CodeTrialOptions {
  readonly node: Node
  /** The field that is code, as typed. */
  readonly name: string
  readonly value: string
  readonly input: CodeInput
  /** It is tried whenever somebody pauses. */
  readonly isLive: boolean
}

export interface CodeTrial extends Trying {
  /** Why it cannot be tried; undefined where it can. */
  readonly refusal: string | undefined
}

/** Tries the node by itself with the code as typed; nothing of it is stored. */
export function useCodeTrial({ node, name, value, input, isLive }: CodeTrialOptions): CodeTrial {
  const api = useApi()
  const editor = useEditor()
  const saving = useSaving()
  const refusal = useRefusal()
  const isKnown = useRef(false)
  const trying = useTrial(async (signal) => {
    // The service looks at the node and its wires as it has them; what is typed is sent along.
    if (!isKnown.current || !isLive) await whenSaved(editor, saving)
    isKnown.current = true
    const trial = { fields: { ...node.fields, [name]: value }, ...inputsOf(input) }
    return tryNode(api, { flow: editor.flowId, node: node.id }, trial, signal)
  })
  const { run } = trying
  const isReady = isLive && refusal === undefined && input.data !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: what comes of it changes with the data.
  useEffect(() => {
    if (!isReady) return undefined
    const timer = window.setTimeout(() => run(value), PAUSE_MS)
    return () => window.clearTimeout(timer)
  }, [isReady, run, value, input.data])
  return { ...trying, refusal }
}

function inputsOf({ data, isOwn }: CodeInput): { readonly inputs?: Readonly<Record<string, JsonValue>> } {
  return isOwn && data !== undefined ? { inputs: { data } } : {}
}

function useRefusal(): string | undefined {
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const mayWrite = useMay('write')
  const mayTrigger = useMay('trigger')
  if (!mayWrite) return lacks('write')
  if (!mayTrigger) return lacks('trigger')
  return isReadOnly ? 'This flow is read-only here, so nothing can be tried.' : undefined
}

function lacks(right: string): string {
  return `Your key lacks the right “${right}”, so nothing can be tried here.`
}
