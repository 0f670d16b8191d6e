import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type JsonValue, jsonIn, writeJson } from '../../../../src/flows/json/exact-json.ts'
import { useApi } from '../../api/api-context.ts'
import type { DraftTurns } from '../../api/messages.ts'
import { useMay } from '../../api/session.ts'
import type { Flow, Run } from '../../api/shapes.ts'
import { readLastStart } from '../../api/tests.ts'
import { IconPlayerPlay } from '../../design/icons/page-icons.ts'
import { ProblemNote } from '../../design/problem-note.tsx'
import { PayloadEditor } from '../../file-parts/payload-editor.tsx'
import classes from './composer.module.css'

interface RunFromHereProps {
  readonly flow: Flow
  readonly drafts: DraftTurns | undefined
}

/** Runs a flow that nobody can talk to, with a payload: what it prints appears above. */
export function RunFromHere({ flow, drafts }: RunFromHereProps) {
  const api = useApi()
  const last = useLastPayload(flow)
  const [typed, setTyped] = useState<string>()
  const text = typed ?? last
  const [fault, setFault] = useState<string>()
  const mayRun = useMay(drafts === undefined ? 'trigger' : 'write')
  const run = useMutation({
    mutationFn: async (input: JsonValue) => {
      await drafts?.prepare()
      const path = drafts === undefined ? `run/${flow.id}` : `flows/${flow.id}/test`
      return api.post<Run>(path, { body: { input } })
    }
  })
  const payload = text.trim() === '' ? null : jsonIn(text)
  if (!mayRun) return null
  return (
    <form
      className={classes.start}
      onSubmit={(event) => {
        event.preventDefault()
        if (payload !== undefined) run.mutate(payload)
      }}
    >
      <PayloadEditor
        label="Payload of the run"
        value={text}
        onChange={setTyped}
        onFault={setFault}
        height={88}
      />
      {payload === undefined && <p className={classes.fault}>This is not JSON yet. {fault}</p>}
      <ProblemNote error={run.error} />
      <Button
        type="submit"
        size="compact-md"
        loading={run.isPending}
        disabled={payload === undefined}
        leftSection={<IconPlayerPlay size={14} aria-hidden />}
      >
        {drafts === undefined ? 'Run' : 'Run as a test'}
      </Button>
    </form>
  )
}

/** What the flow was started with last is a better beginning than nothing, with which most of them fail. */
function useLastPayload({ id, nodes }: Flow): string {
  const api = useApi()
  const start = nodes.find(({ type }) => type === 'webhook' || type === 'form')?.id
  const { data } = useQuery({
    queryKey: ['last-start', id, start ?? null],
    queryFn: () => readLastStart(api, id, start),
    staleTime: 0,
    gcTime: 0
  })
  return data == null || data.payload === null ? '{}' : writeJson(data.payload, 2)
}
