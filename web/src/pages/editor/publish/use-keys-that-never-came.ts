import { useMemo } from 'react'
import type { Fault } from '../../../../../src/errors.ts'
import { keysThatNeverCame } from '../../../editor/template/keys-that-never-came.ts'
import { outputIn, useEditorState } from '../editor-context.ts'

/** By the run that is on the canvas: what its templates underline there is said again before they are live. */
export function useKeysThatNeverCame(): readonly Fault[] {
  const flow = useEditorState((state) => state.flow)
  const catalogue = useEditorState((state) => state.catalogue)
  const run = useEditorState((state) => state.run)
  return useMemo(
    () => keysThatNeverCame(flow, catalogue, (end) => outputIn(run, end)),
    [flow, catalogue, run]
  )
}
