import { ValueView } from '../../../design/value-view/value-view.tsx'
import { wholeDuration } from '../../runs/whole-duration.ts'
import classes from './details.module.css'
import { Pairs } from './request-view.tsx'
import type { ToldCaller } from './told-caller.ts'

interface AnswerViewProps {
  readonly told: ToldCaller
  /** Where the request came from. */
  readonly address: string | undefined
}

/** What was answered, to whom and after how long. */
export function AnswerView({ told, address }: AnswerViewProps) {
  const { status, headers, body, node, afterMs, who } = told
  const pairs = Object.entries(headers)
  return (
    <>
      <p className={classes.answerLine}>
        <code>{status}</code>
        {who === 'caller' && (
          <>
            {' to '}
            <code>{address}</code>
          </>
        )}
        {` after ${wholeDuration(afterMs)}`}
        {node !== undefined && (
          <>
            {' by '}
            <code>{node}</code>
          </>
        )}
      </p>
      {who === 'nobody' && <p className={classes.empty}>Nobody waited for it.</p>}
      {who === 'too late' && (
        <p className={classes.empty}>Too late: the caller had been told by 202 that the run has started.</p>
      )}
      {body === undefined ? (
        <p className={classes.empty}>Without a body.</p>
      ) : (
        <ValueView value={body} label="answer of the run" />
      )}
      {pairs.length > 0 && <Pairs title="Headers of the answer" pairs={pairs} />}
    </>
  )
}
