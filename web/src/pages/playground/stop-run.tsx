import { useMutation } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { problemOf } from '../../api/problem.ts'
import { cancelRun } from '../../api/runs.ts'
import { useMay } from '../../api/session.ts'
import { IconPlayerStop } from '../../design/icons/page-icons.ts'
import { notifyProblem } from '../../design/notify.tsx'
import classes from './message-view.module.css'

/** Cancels a run that is answering; nobody is asked twice, since saying it again is easy. */
export function StopRun({ runId }: { readonly runId: string }) {
  const api = useApi()
  const mayStop = useMay('write')
  const stop = useMutation({
    mutationFn: () => cancelRun(api, runId),
    onError: (error) => {
      // It was over first, and says so itself.
      if (problemOf(error).code !== 'run_already_ended') notifyProblem(error)
    }
  })
  if (!mayStop) return null
  return (
    <button type="button" className={classes.stop} disabled={stop.isPending} onClick={() => stop.mutate()}>
      <IconPlayerStop size={14} aria-hidden />
      Stop
    </button>
  )
}
