import { type RecentCaller, useRecentCallers } from '../../../api/publishing.ts'
import { RelativeTime } from '../../../design/relative-time.tsx'
import { useEditor } from '../editor-context.ts'
import classes from './publish.module.css'

const MOST_CALLERS = 5

/** What publishing does to whoever calls the flow, and who has called it lately. */
export function CallerList({ callers }: { readonly callers: readonly { code: string; message: string }[] }) {
  if (callers.length === 0) return null
  return (
    <section className={classes.part} aria-label="For callers">
      <h3>For callers</h3>
      <ul className={classes.callers}>
        {callers.map(({ code, message }) => (
          <li key={`${code} ${message}`}>{message}</li>
        ))}
      </ul>
      <WhoCalled />
    </section>
  )
}

function WhoCalled() {
  const { flowId } = useEditor()
  const { data: callers = [] } = useRecentCallers(flowId)
  if (callers.length === 0) return null
  return (
    <>
      <p className={classes.quiet}>Recent callers</p>
      <ul className={classes.callerList}>
        {callers.slice(0, MOST_CALLERS).map((caller) => (
          <li key={`${caller.path} ${caller.address} ${caller.agent}`}>
            <Caller caller={caller} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Caller({ caller: { address, agent, calls, last_called_at } }: { readonly caller: RecentCaller }) {
  return (
    <>
      <span className={classes.caller}>{agent ?? address}</span>
      {agent !== null && <span className={classes.quiet}> {address}</span>}
      <span className={classes.quiet}>
        , {calls === 1 ? 'once' : `${calls} times`}, <RelativeTime at={last_called_at} />
      </span>
    </>
  )
}
