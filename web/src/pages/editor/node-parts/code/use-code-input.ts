import { useMemo, useState } from 'react'
import { type JsonValue, jsonIn } from '../../../../../../src/flows/json/exact-json.ts'
import { useAreOutputsPending } from '../../../../api/node-output.ts'
import { useEditor } from '../../editor-context.ts'
import { rememberedBody } from '../../session/remembered-body.ts'
import { feedingNodes } from '../template/template-source.ts'
import { type TemplateSample, useTemplateSample } from '../template/use-template-sample.ts'

/** What code is tried with. */
export interface CodeInput {
  /** Undefined where nothing is known, or what was written is not JSON. */
  readonly data: JsonValue | undefined
  /** It was written for the trial alone. */
  readonly isOwn: boolean
  readonly sample: TemplateSample
  /** The text of one's own; undefined where something is pinned, or has come by the wire. */
  readonly own: { readonly text: string; readonly write: (text: string) => void } | undefined
}

const FIRST_TEXT = '{\n  \n}'

export function useCodeInput(node: string, field: string): CodeInput {
  const { flowId } = useEditor()
  const sample = useTemplateSample({ node, field, isAsking: true })
  const isKnown = sample.data !== undefined || sample.isPinned
  const isPending = useAreOutputsPending(flowId, isKnown ? [] : feedingNodes(sample.source))
  const kept = useMemo(() => rememberedBody(window.sessionStorage, `${flowId}.${node}`), [flowId, node])
  const [text, setText] = useState(() => kept.read() ?? FIRST_TEXT)
  const written = useMemo(() => jsonIn(text), [text])
  if (sample.data !== undefined || isPending) {
    return { data: sample.data, isOwn: false, sample, own: undefined }
  }
  const write = (next: string) => {
    kept.write(next)
    setText(next)
  }
  return { data: written, isOwn: true, sample, own: { text, write } }
}
