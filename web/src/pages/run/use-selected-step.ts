import { useRef } from 'react'
import { useSearchParams } from 'react-router'
import type { Run } from '../../api/shapes.ts'
import { NARROW } from '../runs/list/row-height.ts'
import { WHOLE_RUN } from './waterfall/waterfall.tsx'

/** The step that is looked at, kept in the address; at first the one that failed, if one did. */
export function useSelectedStep(run: Run) {
  const [params, setParams] = useSearchParams()
  const details = useRef<HTMLDivElement>(null)
  const selected = params.get('step') ?? run.error?.node ?? WHOLE_RUN
  const select = (step: string) => {
    setParams({ step }, { replace: true })
    // On a phone the details are below what is in sight.
    if (window.matchMedia(NARROW).matches) details.current?.scrollIntoView({ block: 'start' })
  }
  return { selected, select, details }
}
